import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
let folder: string
let child: ChildProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shard-test-'))
  chmodSync(folder, 0o711)
})

afterEach(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const isLeftOut = Boolean(process.env.DIALECTS && !process.env.DIALECTS.includes('postgres'))

test.skipIf(isLeftOut).each(['SIGKILL', 'SIGINT'] as const)(
  'after %s the server and its folder are gone',
  async (signal) => {
    const port = await startPostgres()
    expect(await answers(port)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.startsWith('shard-services-'))).toHaveLength(1)
    child.kill(signal)
    await vi.waitFor(
      async () => {
        expect(await answers(port)).toBe(false)
        expect(readdirSync(folder).filter((name) => name.startsWith('shard-services-'))).toEqual([])
      },
      { timeout: 20_000, interval: 50 },
    )
  },
)

/** Runs `services up` for PostgreSQL alone, and resolves to its port. */
async function startPostgres(): Promise<number> {
  const { SHARD_TEST_POSTGRES_URL, SHARD_TEST_S3_ENDPOINT, ...inherited } = process.env
  const env = { ...inherited, DIALECTS: 'postgres', TMPDIR: folder }
  const args = ['--import', import.meta.resolve('tsx'), main, 'up']
  child = spawn(process.execPath, args, { env, stdio: 'pipe' })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = line.match(/POSTGRES_URL='.*:(\d+)\//)
    if (url) return Number(url[1])
  }
  throw new Error(`it printed no address: ${said}`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

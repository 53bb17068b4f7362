import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqlite } from '../src/engines/sqlite.ts'

test('a fleet is locked under every name that its global database has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shard-demo-'))
  const at = (name: string) => ({ engine: 'sqlite', address: join(folder, name) }) as never
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'global.db'), '')
  symlinkSync(join(folder, 'global.db'), join(folder, 'elsewhere', 'link.db'))
  try {
    const held = await sqlite.lock(at('global.db'))
    await expect(sqlite.lock(at('elsewhere/link.db'))).rejects.toThrow(/Another process/)
    await held.release()
    const again = await sqlite.lock(at('elsewhere/link.db'))
    await again.release()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

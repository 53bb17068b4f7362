import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The first TypeScript example of a README. */
function exampleOf(readme: string): string {
  const example = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, readme), 'utf8'))?.[1]
  return example ?? expect.fail(`${readme} has no example`)
}

/** Runs code in a folder of its own, where the packages of this one are installed; what it printed. */
function run(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'shard-readme-'))
  try {
    symlinkSync(join(root, 'packages/conformance/node_modules'), join(folder, 'node_modules'))
    symlinkSync(join(root, 'packages/conformance'), join(folder, 'self'))
    writeFileSync(join(folder, 'example.mts'), code.replace("'@shard/conformance'", "'./self/src/index.ts'"))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions', '@shard/source', '--import', 'tsx', 'example.mts'],
      { cwd: folder, encoding: 'utf8', timeout: 50_000, killSignal: 'SIGKILL' },
    )
    if (status !== 0) throw new Error(`the example failed: ${status}\n${stdout}\n${stderr}`)
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the comments behind `console.log` promise, in order. */
function promised(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\/\/ (.+)$/gm)].map(([, output]) => output as string)
}

test.each(['core', 'sql', 'kysely', 's3-alloc'])(
  'the example of %s runs, and prints what it says',
  (name) => {
    const code = exampleOf(`packages/${name}/README.md`)
    const printed = run(code)
    expect(promised(code)).not.toEqual([])
    for (const output of promised(code)) expect(printed).toContain(output)
  },
)

test.each(['README.md', 'packages/registry/README.md', 'packages/placer/README.md'])(
  'the example of %s runs',
  (readme) => {
    run(exampleOf(readme))
  },
)

test('the adapter in the README of conformance passes its suite under node:test', () => {
  const printed = run(exampleOf('packages/conformance/README.md'))
  expect(printed).toMatch(/^# fail 0$/m)
  expect(Number(/^# pass (\d+)$/m.exec(printed)?.[1])).toBeGreaterThan(30)
})

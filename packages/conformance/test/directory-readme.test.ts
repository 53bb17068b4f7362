import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

test("the directory's README example prints what its comments say", () => {
  const readme = readFileSync(new URL('../../directory/README.md', import.meta.url), 'utf8')
  const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? assert.fail()
  const expected = [...example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map((line) => line[1])
  const args = ['--conditions', '@shard/source', '--import', 'tsx', '--input-type=module', '--eval', example]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const printed = execFileSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 45_000 })
  assert.deepEqual(printed.trimEnd().split('\n'), expected)
  assert.equal(expected.length, 5)
})

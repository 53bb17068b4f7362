import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'vitest'

test('keys are the same whatever the language of the host', async () => {
  const digests = ['C', 'tr_TR.UTF-8'].map(async (locale) => {
    const env = { ...process.env, LANG: locale, LC_ALL: locale, LANGUAGE: locale }
    const file = fileURLToPath(new URL('key-digest.ts', import.meta.url))
    const args = ['--conditions', '@shard/source', '--import', 'tsx', file]
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    return JSON.parse((await promisify(execFile)(process.execPath, args, { env, cwd })).stdout)
  })
  const [plain, turkish] = await Promise.all(digests)
  assert.match(plain.digest, /^[0-9a-f]{64}$/)
  assert.equal(turkish.locale, 'tr-TR')
  assert.equal(turkish.digest, plain.digest)
})

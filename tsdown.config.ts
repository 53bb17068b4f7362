import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'tsdown'

// One config for every package: the entries are what its package.json exports from source.
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports?: Record<string, { '@shard/source'?: string }>
}
const entry = Object.values(manifest.exports ?? {}).flatMap((target) => target['@shard/source'] ?? [])

export default defineConfig({
  cwd: process.cwd(),
  logLevel: 'warn',
  entry: entry.filter((file) => existsSync(file)),
  format: ['esm', 'cjs'],
  dts: { sourcemap: false },
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  fixedExtension: true,
  report: false,
})

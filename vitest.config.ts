import { existsSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { mutate, mutationFromEnvironment } from './scripts/mutations/mutation.ts'

/** One project a package or app that has tests, named as its folder, and one for the workspace's own rules. */
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(parent)
    .map((name) => ({ name, root: `${parent}/${name}` }))
    .filter(({ root }) => existsSync(`${root}/test`)),
)

const mutation = mutationFromEnvironment()

export default defineConfig({
  plugins: mutation ? [mutate(mutation)] : [],
  resolve: { conditions: ['@shard/source'] },
  ssr: { resolve: { conditions: ['@shard/source'] } },
  test: {
    retry: 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      ...folders.map(({ name, root }) => ({
        extends: true as const,
        test: { name, root, include: ['test/**/*.test.ts'] },
      })),
      { extends: true as const, test: { name: 'workspace', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})

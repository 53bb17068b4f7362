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

const dist = `${import.meta.dirname}/packages/kysely/node_modules/kysely-0-29/dist`
const otherKysely = [
  { find: /^kysely$/, replacement: `${dist}/index.js` },
  { find: /^kysely\/helpers\/(\w+)$/, replacement: `${dist}/helpers/$1.js` },
]

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
      // The other Kysely of the peer range.
      {
        extends: true as const,
        resolve: { alias: otherKysely },
        test: { name: 'kysely-0.29', root: 'packages/kysely', include: ['test/**/*.test.ts'] },
      },
      { extends: true as const, test: { name: 'workspace', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})

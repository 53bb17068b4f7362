import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** A one-line fault, and the tests that must notice it. */
export interface Mutation {
  readonly name: string
  /** From the root of the repository. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Arguments for vitest. */
  readonly tests: readonly string[]
}

/** The fault in the environment, if any: see `scripts/mutations.ts`. */
export function mutationFromEnvironment(): Mutation | null {
  const json = process.env.SHARD_MUTATION
  return json ? (JSON.parse(json) as Mutation) : null
}

/** Puts the fault into the source as it is loaded; the file on disk stays as it is. */
export function mutate({ file, find, replace }: Mutation): Plugin {
  return {
    name: 'mutation',
    enforce: 'pre',
    load(id) {
      if (!id.split('?')[0]?.endsWith(`/${file}`)) return null
      return readFileSync(file, 'utf8').replace(find, () => replace)
    },
  }
}

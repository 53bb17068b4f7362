import { checkBigint, checkInteger, MAX_ID } from '@shard/core'
import type { Directory, Entry } from './directory.ts'
import type { DirectoryParts } from './directory-over.ts'
import type { StoredEntry } from './entry-store.ts'
import { checkKey } from './natural-key.ts'
import { textsOf } from './spellings.ts'

/** What is on file. */
export function lookups({ store, spellings }: DirectoryParts): Pick<Directory, 'lookup' | 'keysOf' | 'list'> {
  return {
    async lookup(key, { signal } = {}) {
      const spelled = spellings.of(key)
      const [stored = null] = inOrder(spelled, await store.entriesOf(textsOf(spelled), signal))
      return stored && publicPart(stored)
    },

    async keysOf(id, { signal } = {}) {
      return store.keysOf(checkBigint('an id', id, 1n, MAX_ID), signal)
    },

    async list({ after, limit = 1_000, olderThanMs = 0, signal } = {}) {
      checkInteger('limit', limit, 1, 10_000)
      checkInteger('olderThanMs', olderThanMs, 0, Number.MAX_SAFE_INTEGER)
      return store.page({ after: after === undefined ? null : checkKey(after), limit, olderThanMs }, signal)
    },
  }
}

/** Entries in the order of the spellings that they are on file under. */
export function inOrder(
  spelled: readonly { readonly key: string }[],
  entries: readonly StoredEntry[],
): StoredEntry[] {
  return spelled.flatMap(({ key }) => entries.find((entry) => entry.key === key) ?? [])
}

/** The token is for its claimant alone. */
function publicPart({ token: _, leftMs: __, ...entry }: StoredEntry): Entry {
  return entry
}

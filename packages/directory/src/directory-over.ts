import { checkText } from '@shard/core'
import { changes } from './changes.ts'
import type { ClaimFates } from './claim-fates.ts'
import { claims } from './claims.ts'
import type { Directory } from './directory.ts'
import type { EntryStore } from './entry-store.ts'
import { lookups } from './lookups.ts'
import { emailKey, type Normaliser } from './natural-key.ts'
import { resolving } from './resolving.ts'
import { respells } from './respells.ts'
import { type NormaliserVersion, type Spellings, spellingsBy } from './spellings.ts'

/** What a directory is for. */
export interface DirectoryOptions {
  /** Keeps sets of keys apart in one table: text of 1 to 63 characters (`default`). */
  readonly namespace?: string
  /**
   * What makes keys of texts (`emailKey`). A bare function is version 1. Going from one to another takes both,
   * the primary one first: see `renormalise`.
   */
  readonly normaliser?: Normaliser | readonly NormaliserVersion[]
}

/** What all methods of a directory work on. */
export interface DirectoryParts {
  readonly store: EntryStore
  readonly spellings: Spellings
  /** Null where the shards cannot be reached. */
  readonly fates: ClaimFates | null
}

/** A directory over where its entries are kept: what all adapters share. */
export function directoryOver(
  storeOf: (namespace: string, isSingle: boolean) => EntryStore,
  { namespace = 'default', normaliser = emailKey }: DirectoryOptions,
  fates: ClaimFates | null,
): Directory {
  const spellings = spellingsBy(normaliser)
  const store = storeOf(checkText('a namespace', namespace, 63), spellings.isSingle)
  const parts: DirectoryParts = { store, spellings, fates }
  return { ...resolving(parts), ...lookups(parts), ...claims(parts), ...changes(parts), ...respells(parts) }
}

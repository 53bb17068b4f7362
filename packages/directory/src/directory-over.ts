import { checkText, InvalidArgumentError } from '@shard/core'
import { changes } from './changes.ts'
import type { Directory } from './directory.ts'
import type { EntryStore } from './entry-store.ts'
import { lookups } from './lookups.ts'
import { checkKey, emailKey, type Normaliser } from './natural-key.ts'

/** What a directory is for. */
export interface DirectoryOptions {
  /** Keeps sets of keys apart in one table: text of 1 to 63 characters (`default`). */
  readonly namespace?: string
  /** The same for ever in one namespace (`emailKey`). */
  readonly normaliser?: Normaliser
}

/** A directory over where its entries are kept: what all adapters share. */
export function directoryOver(
  storeOf: (namespace: string) => EntryStore,
  { namespace = 'default', normaliser = emailKey }: DirectoryOptions,
): Directory {
  if (typeof normaliser !== 'function') throw new InvalidArgumentError('a normaliser must be a function')
  const store = storeOf(checkText('a namespace', namespace, 63))
  const keyOf: Normaliser = (text) => checkKey(normaliser(text))
  return { ...lookups(store, keyOf), ...changes(store, keyOf) }
}

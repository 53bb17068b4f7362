import { type Id, InvalidArgumentError } from '@shard/core'
import type { Directory } from './directory.ts'
import type { DirectoryParts } from './directory-over.ts'
import { inOrder } from './lookups.ts'
import { type Spelling, textsOf } from './spellings.ts'

type Signal = AbortSignal | undefined

/** From keys to the ids that own them. */
export function resolving(parts: DirectoryParts): Pick<Directory, 'resolve' | 'resolveMany'> {
  const { store, spellings } = parts
  return {
    async resolve(key, { signal } = {}) {
      if (spellings.isSingle) return store.idOf(spellings.primaryOf(key), signal)
      const spelled = spellings.of(key)
      const id = ownerOf(spelled, await store.idsOf(textsOf(spelled), signal))
      // The answer stands, also where nothing can be written.
      if (id !== null && spelled.length > 1) await moveOn(parts, key, spelled, signal).catch(() => {})
      return id
    },

    async resolveMany(keys, { signal } = {}) {
      if (!Array.isArray(keys)) throw new InvalidArgumentError('keys must be an array of texts')
      const spelledBy = new Map(keys.map((text: string) => [text, spellings.of(text)]))
      const ids = await store.idsOf([...new Set([...spelledBy.values()].flatMap(textsOf))], signal)
      return new Map([...spelledBy].map(([text, spelled]) => [text, ownerOf(spelled, ids)]))
    },
  }
}

/** Where spellings have different owners, the first counts. */
function ownerOf(spelled: readonly Spelling[], ids: ReadonlyMap<string, Id>): Id | null {
  for (const { key } of spelled) {
    const id = ids.get(key)
    if (id !== undefined) return id
  }
  return null
}

/** Adds the primary spelling to a claim that only an older normaliser has spelled. */
async function moveOn(
  { store, spellings }: DirectoryParts,
  text: string,
  spelled: readonly Spelling[],
  signal: Signal,
): Promise<void> {
  const { version } = spellings.primary
  const key = spellings.primaryOf(text)
  const entries = await store.entriesOf(textsOf(spelled), signal)
  if (entries.some((entry) => entry.key === key)) return
  const [older] = inOrder(spelled, entries)
  if (older?.state === 'confirmed') await store.addSpelling(older, key, version, signal)
}

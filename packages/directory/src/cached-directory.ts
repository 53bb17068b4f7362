import {
  type Clock,
  checkInteger,
  checkSignal,
  type Id,
  InvalidArgumentError,
  systemClock,
} from '@shard/core'
import type { Directory } from './directory.ts'
import { OwnerCache } from './owner-cache.ts'

/** How much a cache keeps, and for how long. */
export interface CacheOptions {
  /** Texts: 1 to 10,000,000 (10,000). */
  readonly max?: number | undefined
  /** 1 to 86,400,000 (5,000). */
  readonly ttlMs?: number | undefined
  /** Its monotonic side times the entries. */
  readonly clock?: Clock | undefined
}

/**
 * A directory that remembers whose keys are, for `resolve` and `resolveMany`. It keeps owners only: no claims that
 * are pending, and no keys that are free. Texts are kept as they are given.
 *
 * An answer is at most `ttlMs` old, counted from when it was asked for: what others release or move is seen by
 * then. What is released, moved or put through this directory is seen at once, by calls that begin after it has
 * ended. Ask with `fresh: true` where an old owner would be a danger, as for credentials.
 * @throws InvalidArgumentError for a number out of range
 */
export function cachedDirectory(directory: Directory, options: CacheOptions = {}): Directory {
  const cache = new OwnerCache(
    checkInteger('max', options.max ?? 10_000, 1, 10_000_000),
    checkInteger('ttlMs', options.ttlMs ?? 5_000, 1, 86_400_000),
    options.clock ?? systemClock,
  )
  return {
    ...remembering(directory, cache),
    release: (key, id, version, call) => cache.dropping(id, directory.release(key, id, version, call)),
    move: (key, id, newId, version, call) =>
      cache.dropping(id, directory.move(key, id, newId, version, call)),
    put: (key, id, call) => cache.dropping(call?.force ? 'all' : 'none', directory.put(key, id, call)),
    lookup: (key, call) => directory.lookup(key, call),
    claim: (key, id, call) => directory.claim(key, id, call),
    confirm: (key, token, call) => directory.confirm(key, token, call),
    settle: (key, version, call) => directory.settle(key, version, call),
    keysOf: (id, call) => directory.keysOf(id, call),
    list: (call) => directory.list(call),
    respell: (key, call) => directory.respell(key, call),
  }
}

type Remembered = Pick<Directory, 'resolve' | 'resolveMany'>

function remembering(directory: Remembered, cache: OwnerCache): Remembered {
  return {
    async resolve(key, { fresh = false, signal } = {}) {
      checkSignal(signal)
      const known = fresh ? undefined : cache.get(key)
      if (known !== undefined) return known
      const filling = cache.begin()
      const id = await directory.resolve(key, { fresh: true, signal })
      if (id !== null) cache.end(filling, key, id)
      return id
    },
    async resolveMany(keys, { signal } = {}) {
      checkSignal(signal)
      if (!Array.isArray(keys)) throw new InvalidArgumentError('keys must be an array of texts')
      const owners = new Map<string, Id | null>(keys.map((key: string) => [key, cache.get(key) ?? null]))
      const missing = [...owners].filter(([, id]) => id === null).map(([key]) => key)
      if (missing.length === 0) return owners
      const filling = cache.begin()
      for (const [key, id] of await directory.resolveMany(missing, { signal })) {
        owners.set(key, id)
        if (id !== null) cache.end(filling, key, id)
      }
      return owners
    },
  }
}

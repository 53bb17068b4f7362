import type { Id } from '@shard/core'
import type { Fate } from './directory.ts'

type Signal = AbortSignal | undefined

/**
 * The fates of claims, each on the shard of its id: the first to write one decides it for ever. The account's
 * insert writes `used` in its own transaction; a challenger must first write `revoked`.
 */
export interface ClaimFates {
  /** The fate that is committed, or null. */
  read(id: Id, token: string, signal?: Signal): Promise<Fate | null>
  /**
   * Writes a fate unless there is one, and gives the one on file. Waits for a transaction that has written one
   * and not committed; of racers all get the same. Repeating it after a lost reply changes nothing.
   */
  settle(id: Id, token: string, fate: Fate, signal?: Signal): Promise<Fate>
}

/** Fates in this process's memory, for `memoryDirectory`. */
export function memoryFates(): ClaimFates {
  const fates = new Map<string, Fate>()
  return {
    read: async (id, token) => fates.get(`${id} ${token}`) ?? null,
    async settle(id, token, fate) {
      const onFile = fates.get(`${id} ${token}`) ?? fate
      fates.set(`${id} ${token}`, onFile)
      return onFile
    },
  }
}

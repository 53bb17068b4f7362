import type { Id } from '@shard/core'

/**
 * What a change of normaliser does to one entry. `current`: nothing, it is spelled by the new one. `respelled`: the
 * new spelling is added to its claim. `redundant`: the new spelling is on file for the same id; the old one goes as
 * soon as its normaliser is no longer live. `waiting`: the new spelling cannot be told from the stored one, and is
 * added when the key is next presented; or the claim is pending. `unknown`: no live normaliser has made it. `gone`:
 * it is no longer there. `collision`: the new spelling is another id's.
 */
export type Respelling =
  | { readonly result: 'current' | 'respelled' | 'redundant' | 'waiting' | 'unknown' | 'gone' }
  | { readonly result: 'collision'; readonly collision: Collision }

/** Two owners of what is one key under the new normaliser. Nothing decides between them but you. */
export interface Collision {
  readonly key: string
  readonly id: Id
  /** What `key` would become. */
  readonly spelling: string
  /** Whose that is. */
  readonly rivalId: Id
}

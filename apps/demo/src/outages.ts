import { type ErrorCode, isShardError, type ShardId } from '@shard/core'
import type { ShardRegistry } from '@shard/registry'
import { oneLine } from './one-line.ts'

/** The shards that could not be reached in this run, and why. One that is named here is not tried again. */
export class Outages {
  readonly #errors = new Map<ShardId, unknown>()
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get size(): number {
    return this.#errors.size
  }

  has(shard: ShardId): boolean {
    return this.#errors.has(shard)
  }

  add(shard: ShardId, error: unknown): void {
    if (this.has(shard)) return
    this.#errors.set(shard, error)
    this.#onChange()
  }

  /** Why each cannot be reached, in a few words; ascending. */
  reasons(): readonly (readonly [shard: ShardId, reason: string])[] {
    const byShard = [...this.#errors].sort(([a], [b]) => a - b)
    return byShard.map(([shard, error]) => [shard, reasonOf(error)])
  }
}

/** What a database answers, or does not, that is down, overloaded, frozen or cut off. */
const codes: ReadonlySet<ErrorCode> = new Set(['ABORTED', 'BUSY', 'CONNECTION_LOST', 'TIMEOUT'])

/** Could the database not be reached, rather than refuse what was asked? */
export function isUnreachable(error: unknown): boolean {
  return isShardError(error) && codes.has(error.code)
}

/** What is at the bottom of an error, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error), 120)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const { code } = error as { code?: unknown }
  return oneLine((error.message || String(code ?? error.name)).replace(/\.+$/, ''), 120)
}

/** The registry without the shards that cannot be reached: where to place, what to promote and to measure. */
export function reachableOf(registry: ShardRegistry, outages: Outages): ShardRegistry {
  return {
    ...registry,
    list: async (call) => (await registry.list(call)).filter(({ id }) => !outages.has(id)),
  }
}

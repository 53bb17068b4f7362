import type { DialectName, Executor } from '../executor.ts'
import type { ShardId } from '../id.ts'

/** How many statements' types an executor's fan-outs remember. */
const MAX_KNOWN = 2_000

/** What an executor's earlier fan-outs have seen: a guess, which each answer confirms. */
export class Memory {
  readonly #types = new Map<string, string>()
  readonly #dialects = new Map<ShardId, DialectName>()

  dialectOf(shard: ShardId): DialectName | null {
    return this.#dialects.get(shard) ?? null
  }

  setDialect(shard: ShardId, dialect: DialectName): void {
    this.#dialects.set(shard, dialect)
  }

  /** The types of a statement's columns on an engine. */
  typesOf(statement: string): string | null {
    return this.#types.get(statement) ?? null
  }

  setTypes(statement: string, types: string): void {
    this.#types.delete(statement)
    this.#types.set(statement, types)
    while (this.#types.size > MAX_KNOWN) this.#types.delete(this.#types.keys().next().value as string)
  }
}

/** Lives and dies with its executor. */
const memories = new WeakMap<Executor, Memory>()

/** The memory of an executor's fan-outs. */
export function memoryOf(executor: Executor): Memory {
  const memory = memories.get(executor) ?? new Memory()
  memories.set(executor, memory)
  return memory
}

import type { SqliteDatabase, SqliteStatement } from './database.ts'

/** What cannot change a schema; other statements, such as a rollback, may. */
const harmless =
  /^\s*(?:select|with|values|insert|update|delete|replace|begin|commit|savepoint|release|explain)\b/i

/** May this statement change the types of columns? */
export function mayAlter(sql: string, { reader, readonly }: SqliteStatement): boolean {
  return !(reader && readonly) && !harmless.test(sql)
}

/**
 * Tells when columns may have other types than before: at once if this connection changed them; if another
 * did, from the next turn of the event loop on, before which nobody can have told us so.
 */
export class SchemaWatch {
  readonly #database: SqliteDatabase
  #statement: SqliteStatement | null = null
  #version: unknown = null
  #generation = 0
  #isFresh = false

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  /** Call after a statement that may alter the schema, or undo that. */
  changed(): void {
    this.#generation++
  }

  /** A number that is another one after a change. */
  generation(): number {
    if (!this.#isFresh) this.#look()
    return this.#generation
  }

  #look(): void {
    const version = this.#schemaVersion()
    if (version === null || version !== this.#version) this.#generation++
    this.#version = version
    this.#isFresh = version !== null
    if (this.#isFresh) process.nextTick(() => (this.#isFresh = false))
  }

  /** https://www.sqlite.org/pragma.html#pragma_schema_version; null when it cannot be read now. */
  #schemaVersion(): unknown {
    try {
      this.#statement ??= this.#database.prepare('pragma schema_version')
      return (this.#statement.all()[0] as { schema_version?: unknown }).schema_version ?? null
    } catch {
      return null
    }
  }
}

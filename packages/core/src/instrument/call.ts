import type { DialectName, Statement, StatementSource } from '../executor.ts'
import type { Place } from '../place.ts'
import { statementFor } from '../statement.ts'
import { type Attributes, errorAttributes, placeAttributes, statementAttributes } from './attributes.ts'

/** A call that begins. */
export interface CallStart {
  readonly kind: 'execute' | 'stream' | 'transaction'
  /** For a span: the operation, such as `SELECT`, or the kind. */
  readonly name: string
  readonly attributes: Attributes
}

/** A call that has ended. */
export interface CallEnd {
  /** All that is known by now; on failure `error.type`, and `db.response.status_code` if the engine gave one. */
  readonly attributes: Attributes
  /** Null if it went well. */
  readonly error: unknown
  readonly rows: number
  readonly affectedRows: bigint
}

/** What is told of calls, and how much. */
export interface CallHooks {
  /** Called when a call begins; what it returns is called when it has ended. */
  start(call: CallStart): ((end: CallEnd) => unknown) | undefined
  /** Shows the SQL as it is and adds the parameters, natural keys among them (false). */
  readonly values?: boolean
  /** `db.namespace`: the name of a shard's or the global database. Left out if not given. */
  namespace?(place: Place): string | undefined
}

/** One call, told to its hooks once at its start and once at its end. */
export class Call {
  readonly #hooks: CallHooks
  readonly #kind: CallStart['kind']
  #attributes: Attributes
  #known = false
  #begun = false
  #tellEnd: ((end: CallEnd) => unknown) | undefined
  #ended = false

  constructor(hooks: CallHooks, kind: CallStart['kind'], family: string | null, place: Place | null) {
    this.#hooks = hooks
    this.#kind = kind
    this.#attributes = safely(() => placeAttributes(family, place, hooks.namespace?.bind(hooks))) ?? {}
  }

  /** The statement, which begins the call when an adapter spells it; of several attempts the first does. */
  telling(source: StatementSource): StatementSource {
    return (dialect) => {
      const statement = statementFor(source, dialect)
      this.know(dialect, statement)
      this.begin()
      return statement
    }
  }

  /** Adds what runs, and on which engine. */
  know(dialect: DialectName, statement: Statement | null): void {
    if (this.#known) return
    this.#known = true
    this.#attributes = {
      ...this.#attributes,
      ...safely(() => statementAttributes(dialect, statement, this.#hooks.values === true)),
    }
  }

  begin(): void {
    if (this.#begun) return
    this.#begun = true
    const name = String(this.#attributes['db.operation.name'] ?? this.#kind)
    const tell = safely(() => this.#hooks.start({ kind: this.#kind, name, attributes: this.#attributes }))
    this.#tellEnd = typeof tell === 'function' ? tell : undefined
  }

  end(how: { error?: unknown; rows?: number; affectedRows?: bigint }): void {
    if (this.#ended) return
    this.#ended = true
    this.begin()
    const { error = null, rows = 0, affectedRows = 0n } = how
    const attributes = error === null ? this.#attributes : { ...this.#attributes, ...errorAttributes(error) }
    safely(() => this.#tellEnd?.({ attributes, error, rows, affectedRows }))
  }
}

/** Telemetry that breaks is no reason for a call to fail, at once or later. */
function safely<T>(work: () => T): T | undefined {
  try {
    const result = work()
    if (result instanceof Promise) result.catch(() => {})
    return result
  } catch {
    return undefined
  }
}

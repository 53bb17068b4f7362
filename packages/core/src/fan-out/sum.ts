import { InvalidArgumentError } from '../errors.ts'
import type { Numeric } from './compare.ts'
import { addDecimals, type Decimal, decimalOf, decimalText } from './decimal.ts'
import { numberText, readNumber } from './kind.ts'

/** A sum as it is told: whole, decimal as text, of floats, or of no values. */
export type Sum = bigint | string | number | null

/** Adds shards' sums: floats as floats, integers and decimals exactly. */
export class RunningSum {
  readonly #column: string
  #value: number | Decimal | null = null
  #isFloat = false

  constructor(column: string) {
    this.#column = column
  }

  /**
   * Adds a shard's sum of `count` values. SQLite has null for what is not a number, such as infinity less infinity.
   * @throws InvalidArgumentError for a sum that is no number, such as one of intervals
   */
  add(sum: unknown, count: bigint): void {
    if (sum === null && count === 0n) return
    const value = sum === null ? Number.NaN : this.#read(sum)
    this.#isFloat ||= sum === null || typeof sum === 'number'
    const isExact = !this.#isFloat && isDecimal(value) && (this.#value === null || isDecimal(this.#value))
    if (this.#value === null) this.#value = value
    else if (isExact) this.#value = addDecimals(this.#value as Decimal, value as Decimal)
    else this.#value = floatOf(this.#value) + floatOf(value)
  }

  /** What the engine would say; where values carry their types (not `typed`), it has null for what is no number. */
  told(typed: boolean): Sum {
    const value = this.#value
    if (value === null) return null
    if (isDecimal(value)) return value.scale === 0 ? value.unscaled : decimalText(value)
    if (Number.isNaN(value) && !typed) return null
    return this.#isFloat ? value : String(value)
  }

  #read(sum: unknown): number | Decimal {
    try {
      const value = readNumber(sum) as Exclude<Numeric, boolean>
      return typeof value === 'bigint' ? decimalOf(value) : value
    } catch {
      throw new InvalidArgumentError(`the sum of column ${this.#column} is no number that can be added`)
    }
  }
}

function isDecimal(value: number | Decimal): value is Decimal {
  return typeof value === 'object'
}

function floatOf(value: number | Decimal): number {
  return Number(numberText(value))
}

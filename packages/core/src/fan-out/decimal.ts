/** An exact decimal: `unscaled / 10^scale`. */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** The number that a text is, such as engines give for NUMERIC; null if it is none. */
export function parseDecimal(text: string): Decimal | null {
  const match = pattern.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  const unscaled = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  return scale >= 0 ? { unscaled, scale } : { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 }
}

/**
 * A finite number as a decimal: a whole one exactly, any other as the shortest decimal that reads as it. Both
 * keep the order of numbers.
 */
export function decimalOf(value: number | bigint | Decimal): Decimal {
  if (typeof value === 'object') return value
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  return isWhole ? { unscaled: BigInt(value), scale: 0 } : (parseDecimal(String(value)) as Decimal)
}

/** Below zero, zero or above it, as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** The exact sum, with as many digits after the point as the longer of the two. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y] = aligned(a, b)
  return { unscaled: x + y, scale: Math.max(a.scale, b.scale) }
}

/** The digits of a decimal, as many after the point as its scale. */
export function decimalText({ unscaled, scale }: Decimal): string {
  if (scale === 0) return unscaled.toString()
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The same number without zeros at its end: two that are equal give the same. */
export function shortest({ unscaled, scale }: Decimal): Decimal {
  const text = decimalText({ unscaled, scale })
  return scale === 0 ? { unscaled, scale } : (parseDecimal(text.replace(/\.?0+$/, '')) as Decimal)
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale)
  return [a.unscaled * 10n ** BigInt(scale - a.scale), b.unscaled * 10n ** BigInt(scale - b.scale)]
}

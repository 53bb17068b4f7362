/** An exact decimal: `unscaled / 10^scale`. */
interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

const pattern = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** True for text that is a decimal number, such as engines give for NUMERIC. */
export function isDecimal(text: string): boolean {
  return pattern.test(text)
}

/** Compares two numbers exactly, whatever they are written as. */
export function compareDecimals(a: string | number | bigint, b: string | number | bigint): number {
  const [x, y] = aligned(parse(a), parse(b))
  return x < y ? -1 : x > y ? 1 : 0
}

/** The exact sum of two numbers; a whole one is a bigint, any other is text. */
export function addDecimals(a: string | number | bigint, b: string | number | bigint): bigint | string {
  const [first, second] = [parse(a), parse(b)]
  const [x, y] = aligned(first, second)
  return format({ unscaled: x + y, scale: Math.max(first.scale, second.scale) })
}

function parse(value: string | number | bigint): Decimal {
  if (typeof value === 'bigint') return { unscaled: value, scale: 0 }
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = pattern.exec(String(value)) ?? []
  const scale = fraction.length - Number(exponent)
  const unscaled = BigInt(`${sign}${whole}${fraction}`)
  return scale >= 0 ? { unscaled, scale } : { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 }
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale)
  return [a.unscaled * 10n ** BigInt(scale - a.scale), b.unscaled * 10n ** BigInt(scale - b.scale)]
}

function format({ unscaled, scale }: Decimal): bigint | string {
  if (scale === 0) return unscaled
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

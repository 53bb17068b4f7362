import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareValues, type Value } from '../src/fan-out/compare.ts'
import { decodeCursor, encodeCursor } from '../src/fan-out/cursor.ts'
import {
  addDecimals,
  compareDecimals,
  decimalOf,
  decimalText,
  parseDecimal,
  shortest,
} from '../src/fan-out/decimal.ts'
import type { Kind } from '../src/fan-out/kind.ts'
import { checkLongKeys } from '../src/fan-out/long-keys.ts'
import type { Key } from '../src/fan-out/order.ts'
import { spellingOf } from '../src/fan-out/spelling.ts'
import { RunningSum } from '../src/fan-out/sum.ts'
import { refusal } from './refusal.ts'

const decimal = (text: string): Value => parseDecimal(text) as Value
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }),
  fc.bigInt(-(2n ** 70n), 2n ** 70n),
  fc
    .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat(20))
    .map(([unscaled, scale]) => ({ unscaled, scale })),
)

describe('decimals', () => {
  test('are exact, however they are written', () => {
    expect(compareDecimals(decimalOf(2 ** 60), decimalOf(2n ** 60n))).toBe(0)
    expect(decimalText(shortest({ unscaled: 100n, scale: 2 }))).toBe('1')
    expect(decimalText(shortest({ unscaled: 1200n, scale: 3 }))).toBe('1.2')
    expect(decimalText(addDecimals(decimalOf(1n), { unscaled: -5n, scale: 2 }))).toBe('0.95')
    for (const text of ['', '.', '1.', '0x1', ' 1', '1 ', 'NaN', '10:00:00', '1e'])
      expect(parseDecimal(text)).toBeNull()
  })

  test('numbers of every kind have one order', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (a, b, c) => {
        const sorted = [a, b, c].sort(compareValues) as [Value, Value, Value]
        expect(compareValues(sorted[0], sorted[2])).toBeLessThanOrEqual(0)
        expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) || 0)
      }),
    )
  })

  test('NaN is above infinity, and both are above every decimal', () => {
    const rising = [
      -Infinity,
      decimal('-1e40'),
      decimal('0.5'),
      1,
      2n,
      decimal('1e400'),
      Infinity,
      Number.NaN,
    ]
    for (const [i, a] of rising.entries())
      for (const [j, b] of rising.entries()) expect(Math.sign(compareValues(a, b))).toBe(Math.sign(i - j))
  })
})

test('a cursor holds a decimal apart from the text that looks like it', () => {
  const key: Key = [decimal('1.50'), '1.50', Number.NaN, -Infinity, 9n, null, true, Uint8Array.of(1, 255)]
  expect(decodeCursor(encodeCursor('q', key), 'q')).toEqual(key)
})

describe('sums', () => {
  const sumOf = (typed: boolean, ...sums: [unknown, bigint][]): unknown => {
    const running = new RunningSum('v')
    for (const [sum, count] of sums) running.add(sum, count)
    return running.told(typed)
  }
  test('of decimals that are not finite are those of one table', () => {
    expect(sumOf(true, ['1.50', 1n], [null, 0n], ['NaN', 2n])).toBe('NaN')
    expect(sumOf(true, ['Infinity', 1n], ['2', 1n])).toBe('Infinity')
    expect(sumOf(true, ['Infinity', 1n], ['-Infinity', 1n])).toBe('NaN')
    expect(sumOf(true, [Number.NaN, 1n], [1, 1n])).toBeNaN()
    expect(sumOf(true, ['1.50', 1n], ['-0.50', 1n])).toBe('1.00')
    expect(sumOf(true, [2n ** 62n, 1n], [2n ** 62n, 1n])).toBe(2n ** 63n)
  })
  test('of no values are null, and in SQLite so is infinity less infinity', () => {
    expect(sumOf(false, [null, 0n], [null, 0n])).toBeNull()
    expect(sumOf(false, [Infinity, 1n], [-Infinity, 1n])).toBeNull()
    expect(sumOf(false, [null, 2n], [5, 1n])).toBeNull()
    expect(sumOf(false, [1.5, 1n], [2n, 1n])).toBe(3.5)
  })
  test('of what is no number are refused', () => {
    for (const sum of ['01:00:00', '$1.00', '', {}, new Date(0)])
      refusal('INVALID_ARGUMENT', () => sumOf(true, [sum, 1n]))
  })
})

describe('what an engine cannot compare exactly is refused', () => {
  const kind = (dialect: 'postgres' | 'mysql' | 'sqlite', types: string): Kind =>
    spellingOf(dialect).kinds(types, [null])[0] as Kind
  const double = kind('postgres', 'double precision')
  const tooLong = parseDecimal(`0.${'1'.repeat(31)}`) as Value
  test.each<[string, Kind, Value[]]>([
    ['text', kind('postgres', 'text'), [1n, 1.5, true, Uint8Array.of(1)]],
    ['a number', kind('postgres', 'bigint'), ['1', Uint8Array.of(1)]],
    ['double precision', double, ['1', decimal('0.10000000000000000001'), 2n ** 53n + 1n]],
    ['real', kind('postgres', 'real'), [0.123456789012, 2n ** 24n + 1n]],
    ['boolean', kind('postgres', 'boolean'), [2n, 'true']],
    ['bytea', kind('postgres', 'bytea'), ['a', 1n]],
    ['DECIMAL', kind('mysql', '1024 binary 5'), ['1', tooLong, Infinity]],
    ['text on MySQL', kind('mysql', '1024 utf8mb4_bin 2'), [1n, Uint8Array.of(1)]],
    ['REAL', kind('sqlite', ''), [decimal('0.10000000000000000001')]],
  ])('%s', (_, { operand }, values) => {
    for (const value of values) refusal('INVALID_ARGUMENT', () => operand(value))
  })
  test('and what it can is not', () => {
    expect(double.operand(decimal('0.5')).value).toBe('0.5')
    expect(double.operand(Number.NaN).value).toBe('NaN')
    expect(kind('postgres', 'real').operand(0.1).value).toBe('0.1')
    expect(kind('postgres', 'boolean').operand(1n).value).toBe(true)
    expect(kind('postgres', 'bigint').operand(decimal('7.0')).value).toBe(7n)
    expect(kind('postgres', 'bigint').operand(1.5).sql('$1')).toBe('cast($1 as numeric)')
    expect(kind('sqlite', '').operand(decimal('0.5')).value).toBe(0.5)
    const digits = `${'9'.repeat(35)}.${'9'.repeat(30)}`
    expect(kind('mysql', '1024 binary 5').operand(decimal(digits)).value).toBe(digits)
  })
  test('a type that nobody knows has no order unless the caller calls it text or a number', () => {
    expect(spellingOf('postgres').kinds('mood', [null])).toEqual([null])
    expect(spellingOf('postgres').kinds('mood', ['text'])[0]?.key('v')).toContain('concat(v)')
    expect(spellingOf('postgres').kinds('text | odd | bigint', [null, null])).toEqual([null, null])
  })
})

describe('values longer than an engine sorts by', () => {
  const [kind] = spellingOf('mysql').kinds('12 utf8mb4_bin 2', [null]) as [Kind]
  const check = (isCut: boolean, ...values: string[]): void =>
    checkLongKeys({ rows: values, keyOf: (i) => [values[i] as string, BigInt(i)] }, [kind, kind], isCut)
  test('are refused where two are alike so far', () => {
    refusal('INVALID_ARGUMENT', () => check(false, 'xxxxxxxxa', 'xxxxxxxxb'))
    refusal('INVALID_ARGUMENT', () => check(false, 'a', 'éééé1', 'éééé'))
    refusal('INVALID_ARGUMENT', () => check(true, 'xxxxxxxxa', 'xxxxxxxxa'))
  })
  test('and taken where they are not', () => {
    check(false, 'xxxxxxxxa', 'xxxxxxxxa')
    check(true, 'xxxxxxxaa', 'xxxxxxxba')
    check(true, 'xxxxxxx', 'xxxxxxxx')
    check(false, 'xxxxxxx', 'xxxxxxxxb', 'y')
  })
})

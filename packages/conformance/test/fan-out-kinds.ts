import type { DialectName } from '@shard/core'

/** A column of a kind that not every engine has, or orders in a way of its own. */
export interface Kind {
  readonly name: string
  readonly type: string
  readonly values: readonly [unknown, ...unknown[]]
  /** May its values be summed? */
  readonly isNumber?: true
}

/** Columns that are ordered by their bytes. */
export const textColumns: ReadonlySet<string> = new Set(['name', 'code', 'lengthy'])

/** Alike for a long way. */
const longTexts = (length: number): [string, ...string[]] => {
  const same = 'x'.repeat(length)
  return ['', same, `${same}a`, `${same}aa`, `${same}B`, `${same}é`, 'y', `w${same}`]
}

const price: Kind = { name: 'price', type: 'numeric', values: ['0.5', '-2.25', '3', '0'], isNumber: true }

/** The columns that are added where all shards are on these engines. */
export function kindsOf(dialects: ReadonlySet<DialectName>): readonly Kind[] {
  if (dialects.size > 1) return [price]
  return kinds[[...dialects][0] as DialectName]
}

const kinds: Record<DialectName, readonly Kind[]> = {
  sqlite: [
    { name: 'lengthy', type: 'text', values: longTexts(300) },
    // The last one: see the compound question.
    {
      name: 'varied',
      type: '',
      values: [1n, 10n, 2n ** 60n, 2 ** 60, 9.5, -Infinity, '10', '9', ' 5 ', '1e1', 'x', Uint8Array.of(49)],
    },
  ],
  postgres: [
    {
      ...price,
      values: ['NaN', '-Infinity', 'Infinity', '1.0', '1.00', '-7', '1e30', `0.${'0'.repeat(40)}1`],
    },
    { name: 'wild', type: 'double precision', values: ['NaN', '-Infinity', 'Infinity', '-0', '0', '0.1'] },
    { name: 'tiny', type: 'real', values: ['NaN', '0.1', '0.3', '-0', '1e30', '16777217'] },
    { name: 'code', type: 'char(4)', values: ['', 'a', 'a b', 'a\tb', 'A', 'ab', 'é'] },
    { name: 'lengthy', type: 'text', values: longTexts(300) },
  ],
  mysql: [
    {
      ...price,
      type: 'decimal(60, 20)',
      values: ['1', `1.${'0'.repeat(19)}1`, '-7.5', '9'.repeat(40), `${'9'.repeat(39)}8`, '0.1'],
    },
    { name: 'tiny', type: 'float', values: [16777216, 16777218, 0.1, 0.3, 0.1 + 2 ** -26, -1e30, 1e-30] },
    { name: 'code', type: 'char(4)', values: ['', 'a', 'A', 'ab', 'é'] },
    { name: 'lengthy', type: 'longtext', values: longTexts(1_000) },
  ],
}

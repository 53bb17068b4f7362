/** Values that no argument of text, number or bigint takes; `String` and `JSON.stringify` fail on some. */
export const hostile: readonly unknown[] = [
  undefined,
  null,
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -1,
  1.5,
  2 ** 53,
  -1n,
  1n << 64n,
  '',
  ' 12 ',
  "'; drop table t; --",
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  Symbol('x'),
  [],
  {},
  Object.create(null),
  { toString: () => ({}) },
  {
    toString() {
      throw new Error('hostile')
    },
  },
  () => 1,
  new Date(Number.NaN),
]

import { expect, test } from 'vitest'
import { mysqlExecutor } from '../../src/mysql.ts'
import { refusal } from '../refusal.ts'

const FOUND_ROWS = 2
const poolWith = (connectionConfig: object) => ({
  config: { connectionConfig },
  getConnection: () => {},
  end: () => {},
})

test.each([
  ['counts changed rows, not matched ones (FOUND_ROWS off)', { clientFlags: 0 }],
  ['reads decimals as floats', { clientFlags: FOUND_ROWS, decimalNumbers: true }],
  ['reads values its own way', { clientFlags: FOUND_ROWS, typeCast: () => 1 }],
])('a pool that %s is refused before any I/O', (_, config) => {
  refusal('INVALID_ARGUMENT', () => mysqlExecutor(poolWith(config)))
  refusal('INVALID_ARGUMENT', () => mysqlExecutor({ pool: poolWith(config) }))
})

test('a pool as the driver makes it is taken', () => {
  expect(mysqlExecutor(poolWith({ clientFlags: FOUND_ROWS, typeCast: true })).dialect).toBe('mysql')
})

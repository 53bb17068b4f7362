import type { DialectName } from '@shard/core'
import { expect, expectTypeOf, test } from 'vitest'
import type { SqlDialect } from '../src/dialect.ts'
import { dialectOf } from '../src/dialects.ts'
import { queryBuilder } from '../src/query-builder.ts'
import { fakeDatabase } from './fake-database.ts'

const names: Record<DialectName, true> = { sqlite: true, postgres: true, mysql: true }
const dialects = (Object.keys(names) as DialectName[]).map((name) => dialectOf(fakeDatabase(name).executor))

test('each engine has its record', () => {
  expect(dialects.map(({ name }) => name)).toEqual(Object.keys(names))
})

test.each(dialects)('$name: whoever locks the schema is told so, and a freed lock was taken', (dialect) => {
  const { lock, unlock } = dialect.ddl
  if (lock !== null) expect(lock).toMatch(/\bas locked\b/)
  if (unlock !== null) expect(lock).not.toBeNull()
})

test.each(dialects)('$name: its clock is an expression that a query can hold', (dialect) => {
  const query = queryBuilder<{ t: { at_ms: bigint } }>(dialect)
    .insertInto('t')
    .values({ at_ms: dialect.nowMs })
  const { sql, parameters } = query.compile()
  expect(sql).toMatch(/1000/)
  expect(parameters).toEqual([])
})

test.each(dialects)('$name: a locking read is one that this engine has', (dialect) => {
  const { sql } = queryBuilder<{ t: { n: number } }>(dialect)
    .selectFrom('t')
    .selectAll()
    .modifyEnd(dialect.lockForShare)
    .compile()
  const ends = { sqlite: /from "t"\s*$/, postgres: / for share$/, mysql: / lock in share mode$/ }
  expect(sql).toMatch(ends[dialect.name])
})

test('the clock of mysql asks for no local time, which a time zone may repeat', () => {
  const { sql } = queryBuilder<{ t: { at_ms: bigint } }>(dialectOf(fakeDatabase('mysql').executor))
    .insertInto('t')
    .values({ at_ms: dialectOf(fakeDatabase('mysql').executor).nowMs })
    .compile()
  expect(sql).toMatch(/utc_timestamp/)
  expect(sql).not.toMatch(/\bnow\(|current_timestamp/)
})

test('a dialect record is complete or a type error', () => {
  expectTypeOf<Record<DialectName, SqlDialect>>().toHaveProperty('mysql')
  expectTypeOf<Omit<SqlDialect, 'binaryText'>>().not.toExtend<SqlDialect>()
  expectTypeOf<SqlDialect['nowMs']>().toHaveProperty('compile')
})

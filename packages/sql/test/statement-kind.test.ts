import { expect, test } from 'vitest'
import { isRead, mayCommit } from '../src/statement-kind.ts'

test.each([
  'select 1',
  '  SELECT n from entry',
  '(select 1) union (select 2)',
  'values (1)',
  'with a as (select 1) select * from a',
  'show server_version',
  'explain select 1',
])('reads: %s', (sql) => {
  expect(isRead(sql)).toBe(true)
})

test.each([
  'insert into entry values (1)',
  'INSERT INTO entry values (1)',
  'with a as (insert into entry values (1) returning n) select n from a',
  'with a as (delete from entry returning n) select n from a',
  'select n into other from entry',
  'select n from entry for update',
  'select n from entry for share',
  'select n from entry lock in share mode',
  "select nextval('s')",
  'explain analyze delete from entry',
  "explain analyze select 'x'",
  '/* select */ delete from entry',
  '-- select\ndelete from entry',
  '; delete from entry',
  'replace into entry values (1)',
  'merge into entry using other on true when matched then delete',
  'call f()',
  'do $$ begin end $$',
  'copy entry from stdin',
  'selects',
  'create table t (n int)',
  'pragma user_version = 2',
  'lock table entry',
  '',
])('is checked, since it may write: %s', (sql) => {
  expect(isRead(sql)).toBe(false)
})

test('only what changes rows is known to leave a transaction open', () => {
  for (const sql of [
    'select 1',
    ' insert into t values (1)',
    'UPDATE t set n = 1',
    'delete from t',
    'with a',
  ])
    expect(mayCommit(sql)).toBe(false)
  for (const sql of [
    'create table t (n int)',
    'alter table t',
    'drop table t',
    '/**/ drop table t',
    'inserts',
  ])
    expect(mayCommit(sql)).toBe(true)
})

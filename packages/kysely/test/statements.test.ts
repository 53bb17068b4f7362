import type { DialectName } from '@shard/core'
import type { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { explainRoute } from '../src/explain-route.ts'
import { shardedKysely } from './fake-fleet.ts'
import type { Case, Db } from './statements/case.ts'
import { changes } from './statements/changes.ts'
import { conditions } from './statements/conditions.ts'
import { conflicts } from './statements/conflicts.ts'
import { derived } from './statements/derived.ts'
import { derivedColumns } from './statements/derived-columns.ts'
import { exists } from './statements/exists.ts'
import { innerJoins } from './statements/inner-joins.ts'
import { inserts } from './statements/inserts.ts'
import { json } from './statements/json.ts'
import { names } from './statements/names.ts'
import { nested } from './statements/nested.ts'
import { otherJoins } from './statements/other-joins.ts'
import { outerJoins } from './statements/outer-joins.ts'
import { pins } from './statements/pins.ts'
import { raw } from './statements/raw.ts'
import { recursions } from './statements/recursions.ts'
import { unions } from './statements/unions.ts'
import { values } from './statements/values.ts'
import { withs } from './statements/with.ts'

const groups: Record<string, readonly Case[]> = {
  pins,
  conditions,
  values,
  innerJoins,
  otherJoins,
  outerJoins,
  names,
  exists,
  nested,
  derived,
  derivedColumns,
  json,
  withs,
  unions,
  recursions,
  raw,
  inserts,
  conflicts,
  changes,
}
const dialects: readonly DialectName[] = ['sqlite', 'postgres', 'mysql']

describe.each(dialects)('on %s', (dialect) => {
  test.each(Object.entries(groups))('%s', async (_, cases) => {
    const { db, calls } = shardedKysely(dialect)
    const any = db as unknown as Db
    const found: [string, Outcome][] = []
    // The second time, the plans are remembered.
    for (const [name, build] of [...cases, ...cases]) {
      calls.length = 0
      // A raw builder compiles by the executor that it is given.
      const query = build(any) as { compile(by: Db): CompiledQuery }
      const ran = await any.executeQuery(query.compile(any)).then(
        () => calls.map(({ place }) => place),
        (error: { code?: string }) => [...calls, error.code ?? error],
      )
      const { place, refusal } = explainRoute(any, { compile: () => query.compile(any) })
      found.push([name, { ran, explained: refusal?.code ?? place }])
    }
    const wanted = cases.map(([name, , expected]): [string, Outcome] => [
      name,
      { ran: [expected], explained: expected },
    ])
    expect(found).toEqual([...wanted, ...wanted])
  })
})

/** Where a statement ran, or the code of its refusal; and what was said of it beforehand. */
interface Outcome {
  readonly ran: unknown[]
  readonly explained: unknown
}

test('the table has two hundred statements or more', () => {
  expect(Object.values(groups).flat().length).toBeGreaterThanOrEqual(200)
})

import { staticCatalog } from '../src/catalog.ts'
import type { Statement } from '../src/executor.ts'
import type { FanOutOptions } from '../src/fan-out/options.ts'
import { orderTerms } from '../src/fan-out/order.ts'
import { fanOut } from '../src/fan-out.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { ShardedExecutor } from '../src/sharded-executor.ts'
import { compareRows } from './compare-rows.ts'
import { type Answer, type FakeExecutor, fakeExecutor } from './fake-executor.ts'

export const select: Statement = { sql: 'select v from t', parameters: [] }

/** A sharded executor over fakes. */
export interface Fleet {
  readonly executor: ShardedExecutor
  readonly shards: readonly FakeExecutor[]
  readonly global: FakeExecutor
}

/** Shards 0, 1, 2, ... that answer so. */
export function fleetOf(...answers: Answer[]): Fleet {
  const shards = answers.map((answer) => fakeExecutor(answer))
  const global = fakeExecutor()
  const catalog = staticCatalog({ global, shards: new Map(shards.entries()) })
  return {
    executor: new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'x' }),
    shards,
    global,
  }
}

/** The order that the shards are asked for, which a fake honours as a database would. */
let asked: FanOutOptions['orderBy'] = []

/** An answer of rows with one column, `v`. */
export const rowsOf =
  (...values: unknown[]): Answer =>
  () =>
    values.map((v) => ({ v })).sort(compareRows(orderTerms(asked ?? [])))

/** What a fan-out gives of that column. */
export async function values(fleet: Fleet, options?: FanOutOptions): Promise<unknown[]> {
  asked = options?.orderBy
  return (await fanOut(fleet.executor, select, options)).rows.map((row) => row.v)
}

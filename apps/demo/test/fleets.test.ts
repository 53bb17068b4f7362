import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { engineOf } from '../src/engines/engines.ts'
import { targetOf } from '../src/target.ts'
import { argumentsOf, enginesOf, freshFleet, kinds } from './fresh-fleet.ts'
import { type AfterTest, bundleDemo, runDemo, temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { withEngines } from './servers.ts'
import { faultsOf, type SourceRow, storedIn } from './stored.ts'

beforeAll(bundleDemo)

function fileOf(rows: readonly SourceRow[], afterTest: AfterTest): string {
  const csv = join(temporaryDirectory(afterTest), 'people.csv')
  writeFileSync(csv, csvOf(rows))
  return csv
}

const rows = sampleRows(600, 200)

describe.each(kinds)('on $name', (kind) => {
  withEngines(kind.name, enginesOf(kind), () => {
    test.concurrent('it makes the databases and stores each row once; a second run adds nothing', async ({
      onTestFinished,
    }) => {
      const addresses = freshFleet(kind, onTestFinished)
      const args = [...argumentsOf(addresses), '--import', fileOf(rows, onTestFinished), '--batch', '150']
      const first = await runDemo(...args)
      expect(first).toMatchObject({ exitCode: 0, stderr: '' })
      expect(first.stdout).toMatch(/^600 rows: 200 new accounts, 600 new messages; 0 rows skipped$/m)
      expect(first.stdout).toMatch(/^The next page, by its cursor\n( {2}.+\n){3}/m)
      const stored = await storedIn(addresses)
      expect(faultsOf(stored, rows)).toEqual([])
      expect(stored.statuses).toHaveLength(kind.shards?.length ?? 1)

      const second = await runDemo(...args)
      expect(second).toMatchObject({ exitCode: 0, stderr: '' })
      expect(second.stdout).toMatch(/^600 rows: 0 new accounts, 0 new messages; 0 rows skipped$/m)
      expect(await storedIn(addresses)).toEqual(stored)
    })
  })
})

describe.each(kinds.filter(({ shards }) => shards === null))('on $name', (kind) => {
  withEngines(kind.name, enginesOf(kind), () => {
    test.concurrent('a second process is told so, until the first has ended', async ({ onTestFinished }) => {
      const addresses = freshFleet(kind, onTestFinished)
      const args = [...argumentsOf(addresses), '--import', fileOf(sampleRows(1, 1), onTestFinished)]
      const target = targetOf(addresses.global)
      const lock = await engineOf(target).lock(target)
      const refused = await runDemo(...args)
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
      expect(refused.stderr).toMatch(/^Another process is at work/)
      await lock.check()
      await lock.release()
      await (await engineOf(target).lock(target)).release()
    })
  })
})

const runOn = async (csv: string, global: string, shards: readonly string[] | null) =>
  runDemo(...argumentsOf({ global, shards }), '--import', csv)

const unmixed = kinds.filter(({ global, shards }) => shards?.every((engine) => engine === global))
describe.each(unmixed)('on $name', (kind) => {
  withEngines(kind.name, enginesOf(kind), () => {
    test.concurrent('a shard whose database is gone, or another’s, is refused, and one that is missing in the list', async ({
      onTestFinished,
    }) => {
      const { global, shards } = freshFleet(kind, onTestFinished)
      const [zero, one, two] = shards as [string, string, string]
      const [elsewhere] = freshFleet(kind, onTestFinished).shards as [string]
      const csv = fileOf(sampleRows(3, 2), onTestFinished)
      const run = (...list: string[]) => runOn(csv, global, list)
      expect(await run(zero, one, two)).toMatchObject({ exitCode: 0 })
      const lacks = { exitCode: 2, stderr: expect.stringContaining('--shards lacks') }
      expect(await runOn(csv, global, null)).toMatchObject(lacks)
      expect(await run(zero, one)).toMatchObject(lacks)
      const strange = { exitCode: 1, stderr: expect.stringContaining('not the one that belongs here') }
      expect(await run(one, zero, two)).toMatchObject(strange)
      const gone = { exitCode: 1, stderr: expect.stringContaining('cannot be opened') }
      expect(await run(zero, elsewhere, two)).toMatchObject(gone)
      expect(await run(zero, one, two, elsewhere)).toMatchObject({ exitCode: 0, stderr: '' })
    })
  })
})

const unsharded = kinds.filter(({ name }) => name === 'unsharded sqlite')
test.for(unsharded)(
  'one database that holds everything gets no shards later',
  async (kind, { onTestFinished }) => {
    const { global } = freshFleet(kind, onTestFinished)
    const csv = fileOf(sampleRows(3, 2), onTestFinished)
    expect(await runOn(csv, global, null)).toMatchObject({ exitCode: 0 })
    const stderr = expect.stringContaining('leave --shards out')
    expect(await runOn(csv, global, [`${global}-0`])).toMatchObject({ exitCode: 2, stderr })
  },
)

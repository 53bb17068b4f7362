import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { argumentsOf, enginesOf, freshFleet, kinds } from './fresh-fleet.ts'
import { openProxy } from './proxy.ts'
import { type AfterTest, bundleDemo, ended, runDemo, startDemo, temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { withEngines } from './servers.ts'
import { faultsOf, storedIn } from './stored.ts'

beforeAll(bundleDemo)

const rows = sampleRows(300, 100)
const begun = rows.slice(0, 150)
const waits = /^(\d+) rows wait for a shard that cannot be reached/

/** After an outage of the active shard two are active: see `admitElsewhere`. */
const twoActive = ['not exactly one active shard']

describe.each(kinds.filter(({ name }) => ['postgres', 'mariadb'].includes(name)))('on $name', (kind) => {
  withEngines(kind.name, enginesOf(kind), () => {
    /** A fleet with some rows on its active shard, to which all go through a proxy. */
    async function openFleet(afterTest: AfterTest) {
      const { global, shards } = freshFleet(kind, afterTest)
      const [zero, ...others] = shards as [string, ...string[]]
      const proxy = await openProxy(zero, afterTest)
      const addresses = { global, shards: [proxy.through(zero), ...others] }
      const args = (some: typeof rows): string[] => {
        const csv = join(temporaryDirectory(afterTest), 'people.csv')
        writeFileSync(csv, csvOf(some))
        return [...argumentsOf(addresses), '--import', csv, '--batch', '10']
      }
      return { addresses, proxy, args }
    }

    test.concurrent.for(['cut', 'freeze'] as const)(
      'an active shard that is down (%s) is named, its rows wait, and the rest goes on',
      async (fault, { onTestFinished }) => {
        const { addresses, proxy, args } = await openFleet(onTestFinished)
        expect(await runDemo(...args(begun))).toMatchObject({ exitCode: 0 })
        const all = args(rows)
        await proxy[fault]()
        const down = await runDemo(...all)
        expect(down).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(waits) })
        expect(down.stdout).toMatch(/^The newest messages of the shards that answer, by one fan-out\n {2}/m)
        expect(down.stdout).toMatch(/^ +0 +active .* - +-$/m)
        expect(down.stdout).toMatch(/^ +1 +active .* 50 +\d+$/m)
        expect(down.stdout).toMatch(/^Shard 0 cannot be reached, /m)

        await proxy.mend()
        const stored = await storedIn(addresses)
        const waiting = Number(waits.exec(down.stderr)?.[1])
        expect(waiting).toBeGreaterThanOrEqual(150)
        expect(stored.messages).toHaveLength(150 + 300 - waiting)
        expect(await runDemo(...all)).toMatchObject({ exitCode: 0, stderr: '' })
        expect(faultsOf(await storedIn(addresses), rows)).toEqual(twoActive)
      },
    )

    test.concurrent('a shard that goes down on the way is left out, and finished later', async ({
      onTestFinished,
    }) => {
      const { addresses, proxy, args } = await openFleet(onTestFinished)
      const all = args(rows)
      const child = startDemo(...all)
      child.stdout.on('data', (text) => /^ [3-9]\d%/m.test(String(text)) && void proxy.cut())
      const { exitCode, stderr } = await ended(child)
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringMatching(waits) })
      await proxy.mend()
      expect(await runDemo(...all)).toMatchObject({ exitCode: 0, stderr: '' })
      expect(faultsOf(await storedIn(addresses), rows)).toEqual(twoActive)
    })

    test.concurrent('a new shard that is down is not waited for, nor put on record', async ({
      onTestFinished,
    }) => {
      const { addresses, proxy, args } = await openFleet(onTestFinished)
      await proxy.cut()
      expect(await runDemo(...args(rows))).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^Shard 0 cannot be reached, /m),
      })
      await proxy.mend()
      expect(await runDemo(...args(rows))).toMatchObject({ exitCode: 0, stderr: '' })
      const stored = await storedIn(addresses)
      expect(stored.statuses).toEqual(['standby', 'active', 'standby'])
      expect(faultsOf(stored, rows)).toEqual([])
    })

    test.concurrent('without the global database nothing is done, and it says why', async ({
      onTestFinished,
    }) => {
      const { addresses, args } = await openFleet(onTestFinished)
      const proxy = await openProxy(addresses.global, onTestFinished)
      const [, ...others] = args(rows).slice(1)
      await proxy.cut()
      const { exitCode, stdout, stderr } = await runDemo(
        '--global',
        proxy.through(addresses.global),
        ...others,
      )
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(/^The global database cannot be reached: .*ECONNREFUSED/)
    })
  })
})

import { parseArgs } from 'node:util'
import { mulberry32 } from '../src/faults.ts'
import { databases } from './databases.ts'
import { checkHistory } from './directory-history.ts'
import { memoryHistoryHost, withHistoryHost } from './directory-history-hosts.ts'
import { allSteps, raceSignUps } from './sign-up-race.ts'

// The whole of what directory-history.test.ts and sign-up-race.test.ts do a part of. From packages/conformance:
//
//   pnpm services run -- node --conditions @shard/source --import tsx test/directory-long-run.ts
//     [--engine memory,sqlite,postgres,mariadb] [--operations 1000000] [--server-operations 50000]
//     [--keys 300] [--callers 50] [--seed n]
//
// A size of 0 leaves that part out. It ends with an error at the first thing that is wrong.

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'memory,sqlite,postgres,mariadb' },
    operations: { type: 'string', default: '1000000' },
    'server-operations': { type: 'string', default: '50000' },
    keys: { type: 'string', default: '300' },
    callers: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const wanted = values.engine.split(',')
const seed = Number(values.seed)

async function report(what: string, run: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  const result = await run()
  process.stdout.write(
    `${what}, ${((performance.now() - start) / 1_000).toFixed(1)} s: ${JSON.stringify(result)}\n`,
  )
}

process.stdout.write(`seed ${seed}\n`)
const operations = Number(values.operations)
if (wanted.includes('memory') && operations > 0) {
  const random = mulberry32(seed)
  await report('history in memory', () => checkHistory(memoryHistoryHost(random), operations, random))
}
for (const engine of databases.filter(({ name }) => wanted.includes(name))) {
  const length = engine.name === 'sqlite' ? operations : Number(values['server-operations'])
  if (length > 0)
    await report(`history on ${engine.name}`, () =>
      withHistoryHost(engine, seed, (host) => checkHistory(host, length, mulberry32(seed))),
    )
  const [keys, callers] = [Number(values.keys), Number(values.callers)]
  if (keys > 0)
    await report(`race on ${engine.name}`, () =>
      raceSignUps(engine, { keys, callers, ttlMs: 150, timeoutMs: 3_600_000, deaths: allSteps }),
    )
}

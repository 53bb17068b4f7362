import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { layouts } from '@shard/core'
import { ensureControlTables } from '@shard/registry'
import { openDatabase } from '../test/fresh-database.ts'
import { unionOf } from '../test/id-union.ts'
import { bundleMinter } from '../test/minter-bundle.ts'
import { type Blow, mintTogether, type Slot } from '../test/minting.ts'

// The long run: many ids on one shard, made by many processes that are killed and paused on the way, and a check
// that none comes twice. It needs 8 bytes of disk an id, in the temporary directory, and 200 MB of memory beside
// the processes. With 32 processes a billion ids take half an hour or more.
//
//   node --conditions=@shard/source --import tsx scripts/mint-ids.ts --ids 1e9 --processes 32
//
//   --ids N          how many ids, in all (2e7)
//   --processes N    how many at a time, up to 32 (32)
//   --blows N        how often each is killed or paused (2)
//   --database URL   an empty control database: postgres://..., mysql://..., or a path (a new SQLite file)

/** What is sorted at once. */
const IDS_PER_PARTITION = 15_000_000

const HOUR = 3_600_000

const { values } = parseArgs({
  options: {
    ids: { type: 'string', default: '2e7' },
    processes: { type: 'string', default: '32' },
    blows: { type: 'string', default: '2' },
    database: { type: 'string' },
  },
})
const [ids, processes, blows] = [Number(values.ids), Number(values.processes), Number(values.blows)]
const idsPerSlot = Math.ceil(ids / processes)

function slot(_: unknown, i: number): Slot {
  const planned = Array.from({ length: blows }, (): Blow => {
    const kind = Math.random() < 0.7 ? 'kill' : 'pause'
    return { kind, after: Math.floor(Math.random() * 0.95 * idsPerSlot) }
  })
  return {
    aheadMs: Math.round(((i % 9) / 4 - 1) * HOUR),
    blows: planned.sort((a, b) => a.after - b.after),
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const program = await bundleMinter()
const folder = mkdtempSync(join(tmpdir(), 'shard-mint-'))
try {
  const url = values.database ?? join(folder, 'control.db')
  const executor = openDatabase(url)
  await ensureControlTables(executor, { layout: layouts.default })
  await executor.close()
  const startMs = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - startMs) / 1_000)} s`
  const fleet = {
    program: program.file,
    job: { url, layout: layouts.default, ttlMs: 5_000, perLease: 5_000_000 },
    idsPerSlot,
    folder,
    partitions: Math.ceil((idsPerSlot * processes) / IDS_PER_PARTITION),
    timeoutMs: 86_400_000,
  }
  const files = await mintTogether(fleet, Array.from({ length: processes }, slot))
  say(`minted by ${files[0]?.length} processes in ${seconds()}`)
  let [count, repeats] = [0, 0]
  for (const partition of files) {
    const union = unionOf(partition)
    count += union.ids
    repeats += union.repeats
  }
  say(`${count} ids, ${repeats} twice, checked in ${files.length} parts after ${seconds()}`)
  process.exitCode = repeats === 0 && count >= ids ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
  program.remove()
}

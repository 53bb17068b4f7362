import { isAbsolute, relative } from 'node:path'
import { isShardError } from '@shard/core'
import type { Fleet } from './fleet.ts'
import { type ImportCounts, importRows } from './import-rows.ts'
import { importShare, importTogether } from './import-together.ts'
import { openFleet } from './open-fleet.ts'
import { type Options, readOptions, usage } from './options.ts'
import { isUnreachable, reasonOf } from './outages.ts'
import { progressOn } from './progress.ts'
import { type CsvFile, openCsv } from './read-rows.ts'
import { Refusal } from './refusal.ts'
import { showResult } from './report.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) {
    console.log(usage)
    return
  }
  // Before anything is written: a file that cannot be read leaves no trace.
  const file = await openCsv(options.csvPath)
  if (options.share !== null) return importShare(options, options.share, file)
  const fleet = await openFleet(options.fleet)
  try {
    console.log(`Importing ${shown(options.csvPath)} into ${shown(options.place)}`)
    const counts = await importWithProgress(fleet, file, options)
    await showResult(fleet, counts, (text) => console.log(text))
    if (counts.waiting > 0) throw new Refusal(waiting(counts.waiting), 1)
  } finally {
    await fleet.close()
  }
}

async function importWithProgress(
  fleet: Fleet,
  file: CsvFile,
  { batchRows, processes }: Options,
): Promise<ImportCounts> {
  const progress = progressOn(process.stdout)
  try {
    if (processes > 1) return await importTogether(fleet, processes, progress)
    return await importRows(fleet, file, { batchRows, progress })
  } finally {
    progress.end()
  }
}

/** A path, shorter if it is near; an address of a server as it is. */
function shown(path: string): string {
  if (!isAbsolute(path)) return path
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}

/** Says what went wrong; a stack only for what nobody foresaw. */
function fail(error: unknown): void {
  process.exitCode = error instanceof Refusal ? error.exitCode : 1
  if (error instanceof Refusal) console.error(error.message)
  else if (isShardError(error, 'NO_SHARD_AVAILABLE')) console.error(allFull)
  else if (isShardError(error, 'WRONG_DATABASE'))
    console.error(`A database is not the one that belongs here: ${error.message}.`)
  else if (isShardError(error, 'LEASE_LOST') || isShardError(error, 'NO_FREE_WORKER'))
    console.error(`No ids can be made now: ${error.message}.\n${goesOn}`)
  else if (isShardError(error, 'DISK_FULL'))
    console.error('The disk is full. Make room and run this again: it goes on from here.')
  else if (isUnreachable(error))
    console.error(`The global database cannot be reached: ${reasonOf(error)}.\n${goesOn}`)
  else console.error(error)
}

const goesOn = 'What was imported is kept. Run this again when it is back, and it goes on from here.'

function waiting(rows: number): string {
  return `${rows} rows wait for a shard that cannot be reached. ${goesOn}`
}

const allFull = `All shards are full. What was imported is kept.
Run this again with a larger --shard-size, and it goes on from here.`

// A reader that has seen enough, such as `head`, does not end the import.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
})

main().catch(fail)

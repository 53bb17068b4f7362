import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { FleetOptions } from './open-fleet.ts'
import { Refusal } from './refusal.ts'
import { filesIn, type Target, targetOf } from './target.ts'

/** What one run of the app is to do. */
export interface Options {
  readonly fleet: FleetOptions
  /** What to call the place of the data. */
  readonly place: string
  readonly csvPath: string
  /** Rows that are stored together. */
  readonly batchRows: number
  /** How many processes import at once. */
  readonly processes: number
  /** Which part of the import this process does for the one that started it; null for that one. */
  readonly share: Share | null
}

/** The addresses that a process cares for are those whose hash gives `index` modulo `count`. */
export interface Share {
  readonly index: number
  readonly count: number
}

/** Each has some connections to every database. */
const MAX_PROCESSES = 16

/** What a batch binds must stay below the 32,766 parameters of a SQLite statement. */
const MAX_BATCH_ROWS = 5_000

const besidePackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What `--help` prints. */
export const usage: string = `A small messaging service on one global database and its shards.

It imports a CSV file, signs up each e-mail address once and stores its messages on its shard. Run it
again, also after a crash: it goes on where it stood and stores nothing twice.

Usage: demo [options]
  --import FILE.csv   a UTF-8 file with the columns email,name,message (the sample file)
  --data DIR          where the databases are: a global one and three shards, SQLite files (apps/demo/data)
  --global ADDRESS    the global database, instead of --data
  --shards A,B,...    with --global: the shards, the first is shard 0. Later ones may be added at the end.
                      Without --shards the global database holds everything, unsharded.
  --shard-size MB     how large a shard may grow; half of it closes the shard to new accounts
                      (1.5 on SQLite, 12 on MySQL, 18 on PostgreSQL, where an empty database has 8;
                      no limit if unsharded)
  --batch ROWS        how many rows are stored together (500)
  --processes N       how many processes import at once (1)
  --help              this text

An ADDRESS is postgres://user:password@host:5432/database, mysql://user:password@host:3306/database (MariaDB
too), sqlite:path or a plain path; a fleet may mix them. Databases that do not exist are created.
`

/**
 * Reads the command line; null when it asks for help.
 * @throws Refusal for an option that does not exist or a value out of range
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args)
  if (values.help) return null
  const size = values['shard-size']
  const fleet = fleetFrom(values, size === undefined ? null : bytesOf(size))
  const share = values.share === undefined ? null : shareFrom(values.share)
  return {
    fleet: { ...fleet, isPart: share !== null },
    place: values.global === undefined ? dirname(fleet.global.address) : fleet.global.shown,
    csvPath: pathFrom('--import', values.import) ?? besidePackage('people.csv'),
    batchRows: numberFrom('--batch', values.batch ?? '500', WHOLE, 1, MAX_BATCH_ROWS),
    processes: numberFrom('--processes', values.processes ?? '1', WHOLE, 1, MAX_PROCESSES),
    share,
  }
}

function fleetFrom(
  { data, global, shards }: { data?: string; global?: string; shards?: string },
  shardBytes: bigint | null,
): FleetOptions {
  if (global === undefined) {
    if (shards !== undefined) throw new Refusal('--shards needs --global too.')
    return { ...filesIn(pathFrom('--data', data) ?? besidePackage('data')), shardBytes }
  }
  if (data !== undefined) throw new Refusal('Give --data or --global, not both.')
  const targets = [global, ...(shards?.split(',') ?? [])].map((text) => targetOf(text.trim()))
  const [first, ...others] = targets as [Target, ...Target[]]
  const twice = targets.find((target, i) => targets.findIndex(({ shown }) => shown === target.shown) < i)
  if (twice) throw new Refusal(`${twice.shown} is named twice.`)
  return { global: first, shards: shards === undefined ? null : others, shardBytes }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: args[0] === '--' ? args.slice(1) : [...args],
      options: {
        import: { type: 'string' },
        data: { type: 'string' },
        global: { type: 'string' },
        shards: { type: 'string' },
        'shard-size': { type: 'string' },
        batch: { type: 'string' },
        processes: { type: 'string' },
        // Not for people: see import-together.ts.
        share: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new Refusal(`${(error as Error).message.split('. ')[0]}. --help lists the options.`)
  }
}

function shareFrom(text: string): Share {
  const [index, count] = text.split('/').map(Number)
  if (!process.connected || index === undefined || count === undefined)
    throw new Refusal('--share is for processes that this app starts itself.')
  return { index, count }
}

function pathFrom(option: string, path: string | undefined): string | null {
  if (path === '') throw new Refusal(`${option} needs a path.`)
  return path === undefined ? null : resolve(path)
}

const WHOLE = /^\d+$/
const DECIMAL = /^\d+(\.\d+)?$/

function bytesOf(megabytes: string): bigint {
  return BigInt(Math.round(numberFrom('--shard-size', megabytes, DECIMAL, 0.1, 1_000_000) * 1_000_000))
}

function numberFrom(option: string, text: string, form: RegExp, min: number, max: number): number {
  const value = form.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const kind = form === WHOLE ? 'whole number' : 'number'
  throw new Refusal(`${option} must be a ${kind} from ${min} to ${max}, not ${JSON.stringify(text)}.`)
}

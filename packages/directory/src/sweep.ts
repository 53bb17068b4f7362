import { checkInteger, checkSignal, type Id, InvalidArgumentError } from '@shard/core'
import type { Directory } from './directory.ts'
import { sweepEntries } from './sweep-entries.ts'
import { sweepRows } from './sweep-rows.ts'

/** Is there an account of an id? `unknown` wherever the answer is not certain; nothing is then touched. */
export type Existence = 'yes' | 'no' | 'unknown'

/** An account that should have a key. */
export interface KeyedRow {
  readonly key: string
  readonly id: Id
}

/** What a sweep is given. */
export interface SweepOptions {
  readonly directory: Pick<Directory, 'list' | 'lookup' | 'settle' | 'release' | 'claim'>
  /** Asks the id's shard itself, never a replica, which may not have heard yet. What it throws is `unknown`. */
  readonly exists: (id: Id, call: { readonly signal?: AbortSignal | undefined }) => Promise<Existence>
  /** The accounts with their keys, if these are to be looked for in the directory too. */
  readonly rows?: AsyncIterable<KeyedRow> | Iterable<KeyedRow> | undefined
  /** Leaves younger entries alone, whose sign-up may be under way (3,600,000). */
  readonly olderThanMs?: number | undefined
  /** Mends what it finds; otherwise it only says what it would do (false). */
  readonly repair?: boolean | undefined
  /** It stops before it would mend more than this: so much wrong at once is a mistake elsewhere (100). */
  readonly limit?: number | undefined
  /** Told of each finding. What it throws ends the sweep. */
  readonly onProgress?: ((finding: Finding, report: SweepReport) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Something that is not as it should be. `expired`: a claim that was neither confirmed nor freed. `no-account`: a
 * key of an id without an account. `no-key`: an account whose key is free. `other-owner`: an account whose key is
 * another's, which is for you to decide. `unknown`: its shard gave no answer.
 */
export interface Finding {
  readonly kind: 'expired' | 'no-account' | 'no-key' | 'other-owner' | 'unknown'
  readonly key: string
  readonly id: Id
  /** What was done, or in a dry run would be tried; `none` also where it had changed by itself. */
  readonly action: 'none' | 'freed' | 'confirmed' | 'claimed'
}

/** What a sweep has seen and done. */
export interface SweepReport {
  readonly entries: number
  readonly rows: number
  /** How often each was found. */
  readonly found: Readonly<Record<Finding['kind'], number>>
  /** Repairs made, or in a dry run those that would be tried. */
  readonly repairs: number
  /** True if `limit` ended it. */
  readonly stopped: boolean
}

/** The state of a sweep under way. */
export interface Sweep extends Omit<SweepOptions, 'rows'> {
  readonly olderThanMs: number
  readonly repair: boolean
  /** Counts one more entry or row. */
  saw(what: 'entries' | 'rows'): void
  /** True if one more repair may be made; false ends the sweep. */
  mayRepair(): boolean
  note(finding: Finding): Promise<void>
}

/**
 * Looks for keys without accounts and accounts without keys, and mends what is certain. An expired claim is
 * confirmed or freed by its fate. A key is freed only if its shard says that there is no account, its fate is
 * decided there, so that no slow insert can follow, and the shard then says so again. An account whose key is free
 * claims it. No account is ever deleted or changed. With a shard down nothing of it is touched.
 *
 * It may run beside everything else, itself included: every repair compares what was read. One that died is run
 * again. What it finds while accounts are being removed may be such a removal under way; `olderThanMs` is by the
 * age of the entry.
 * @throws InvalidArgumentError, or the directory's errors; what was done stays
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const { olderThanMs = 3_600_000, repair = false, limit = 100, rows, onProgress, signal } = options
  checkInteger('olderThanMs', olderThanMs, 0, Number.MAX_SAFE_INTEGER)
  checkInteger('limit', limit, 0, Number.MAX_SAFE_INTEGER)
  if (typeof options.exists !== 'function') throw new InvalidArgumentError('exists must be a function')
  const seen = { entries: 0, rows: 0 }
  const found = { expired: 0, 'no-account': 0, 'no-key': 0, 'other-owner': 0, unknown: 0 }
  const state = { repairs: 0, stopped: false }
  const report = (): SweepReport => ({ ...seen, found: { ...found }, ...state })
  const sweeping: Sweep = {
    ...options,
    olderThanMs,
    repair,
    saw(what) {
      checkSignal(signal)
      seen[what]++
    },
    mayRepair() {
      state.stopped = state.repairs >= limit
      return !state.stopped
    },
    async note(finding) {
      found[finding.kind]++
      if (finding.action !== 'none') state.repairs++
      await onProgress?.(finding, report())
    },
  }
  await sweepEntries(sweeping)
  if (rows && !state.stopped) await sweepRows(sweeping, rows)
  return report()
}

import { hashKey } from '@shard/core'
import { emailKey } from '@shard/directory'
import { refreshSizes } from '@shard/registry'
import type { Fleet } from './fleet.ts'
import { leaveOut } from './leave-out.ts'
import type { Share } from './options.ts'
import { type PersonRow, rowKeys } from './person-row.ts'
import type { Progress } from './progress.ts'
import type { CsvFile } from './read-rows.ts'
import { type KeyedRow, storeBatch } from './store-batch.ts'

/** What an import did. */
export interface ImportCounts {
  /** Good rows. */
  rows: number
  /** Malformed rows. */
  skipped: number
  newAccounts: number
  newMessages: number
  /** Good rows that could not be stored, as a shard cannot be reached. */
  waiting: number
}

/** How a file is imported. */
export interface ImportOptions {
  readonly batchRows: number
  readonly progress: Progress
  /** Only the rows of this share; null: all. */
  readonly share?: Share | null
}

/** How long a shard may take to be measured. */
const SIZE_TIMEOUT_MS = 10_000

/**
 * Imports a file, some rows at a time; a malformed row is reported and skipped as a whole. After each
 * batch that stored something, and at the end, the shards are measured, and a full one is sealed.
 * An import that ended anywhere is finished by importing the same file again.
 * @throws NoShardAvailableError if the shards are full; what was stored stays
 */
export async function importRows(
  fleet: Fleet,
  file: CsvFile,
  { batchRows, progress, share = null }: ImportOptions,
): Promise<ImportCounts> {
  const counts: ImportCounts = { rows: 0, skipped: 0, newAccounts: 0, newMessages: 0, waiting: 0 }
  const keyOf = rowKeys()
  let batch: KeyedRow[] = []
  const store = async (readBytes: number): Promise<void> => {
    await fleet.stillAlone()
    const { newAccounts, newMessages, waitingRows } = await storeBatch(fleet, batch)
    counts.rows += batch.length
    counts.newAccounts += newAccounts
    counts.newMessages += newMessages
    counts.waiting += waitingRows
    batch = []
    if (newAccounts + newMessages > 0) await sealFull(fleet, progress)
    progress.update(readBytes / file.sizeBytes, `${counts.rows} rows`)
  }
  for await (const read of file.rows) {
    if ('problem' in read) {
      if (share !== null && share.index !== 0) continue
      counts.skipped++
      progress.note(`line ${read.line}: ${read.problem}; skipped`)
      continue
    }
    const key = keyOf(read.row)
    if (share !== null && !isInShare(read.row, share)) continue
    batch.push({ ...read.row, key })
    if (batch.length === batchRows) await store(read.endByte)
  }
  if (batch.length > 0) await store(file.sizeBytes)
  progress.update(1, `${counts.rows} rows`)
  await sealFull(fleet, progress)
  return counts
}

/** All rows of an address are in one share. */
function isInShare({ email }: PersonRow, { index, count }: Share): boolean {
  return hashKey(emailKey(email)) % BigInt(count) === BigInt(index)
}

async function sealFull(fleet: Fleet, progress: Progress): Promise<void> {
  const report = await refreshSizes(fleet.executor, fleet.reachable, { timeoutMs: SIZE_TIMEOUT_MS })
  await leaveOut(fleet, report.shards)
  for (const { sealed, promoted } of await fleet.placer.sealFull(report)) {
    progress.note(`shard ${sealed} is full: sealed; shard ${promoted} takes the new accounts`)
  }
}

import {
  checkInteger,
  checkSignal,
  type DialectName,
  type Executor,
  fanOut,
  isShardError,
  NotFoundError,
  type ShardId,
  type Statement,
} from '@shard/core'
import { registryDialectOf } from './dialects.ts'
import type { ShardRegistry } from './registry.ts'
import {
  isAdmissible,
  isFull,
  isReadable,
  type ShardRecord,
  type UnknownStatus,
  unknownStatuses,
} from './shard.ts'

/** How shards are measured; every field has a default. */
export interface RefreshSizesOptions {
  /** How many shards are measured at once (16). */
  readonly concurrency?: number | undefined
  /** How long one shard may take (30,000). */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each shard; what it throws ends the measuring. */
  readonly onProgress?: ((progress: SizeProgress) => void) | undefined
}

/** How far the measuring has come. */
export interface SizeProgress {
  readonly done: number
  readonly total: number
  readonly latest: ShardSize
}

/** What was found of one shard; `error` is null if it was measured, else the sizes are null. */
export interface ShardSize {
  readonly shard: ShardId
  readonly sizeBytes: bigint | null
  readonly fileBytes: bigint | null
  readonly error: unknown
}

/** What was found of each shard, ascending. */
export interface SizeReport {
  readonly shards: readonly ShardSize[]
  /** The active shards that have reached their admission threshold, for `placer.sealFull`. */
  readonly full: readonly ShardId[]
  /** The shards with a status text that this version does not know: they were left alone. */
  readonly unknown: readonly { readonly shard: ShardId; readonly status: UnknownStatus }[]
}

/**
 * Measures every standby, active and sealed shard on its own database and writes the sizes down. A shard
 * that fails or is too slow stops no other: it keeps its last size, and the failure is in the report and
 * in its `sizeError`. Reservations made before a shard's measurement began are dropped with it. It never seals.
 * Two callers at once only measure twice.
 * @throws AbortedError when the signal ends it; what was measured by then is kept
 * @throws ShardError of the registry, which the sizes could then not be written to
 */
export async function refreshSizes(
  executor: Executor,
  registry: ShardRegistry,
  options: RefreshSizesOptions = {},
): Promise<SizeReport> {
  const { signal, onProgress } = options
  const concurrency = checkInteger('concurrency', options.concurrency ?? 16, 1, 10_000)
  const timeoutMs = checkInteger('timeoutMs', options.timeoutMs ?? 30_000, 1, 2 ** 31 - 1)
  const listed = await registry.list({ signal })
  const shards = listed.filter(isReadable)
  const sizes: ShardSize[] = []
  const queue = shards.entries()
  let done = 0
  const worker = async (): Promise<void> => {
    for (const [i, shard] of queue) {
      const reservedBefore = await reservedOf(registry, shard, signal)
      const latest = await measureShard(executor, shard.id, timeoutMs, signal)
      await writeDown(registry, latest, reservedBefore, signal)
      sizes[i] = latest
      onProgress?.({ done: ++done, total: shards.length, latest })
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, shards.length) }, worker))
  const full = shards.filter((shard, i) => fullBy(shard, sizes[i])).map(({ id }) => id)
  return { shards: sizes, full, unknown: unknownStatuses(listed) }
}

/** What is reserved on a shard right before it is measured; only an active one gets more while others are measured. */
async function reservedOf(
  registry: ShardRegistry,
  shard: ShardRecord,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const latest = isAdmissible(shard) ? await registry.get(shard.id, { signal }) : null
  return (latest ?? shard).reservedEver
}

/** Rejects only when the signal ends it. */
async function measureShard(
  executor: Executor,
  shard: ShardId,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ShardSize> {
  try {
    const measure = (dialect: DialectName): Statement => registryDialectOf({ dialect }).measureSize
    const { rows } = await fanOut<{ size_bytes: bigint; file_bytes: bigint }>(executor, measure, {
      shards: [shard],
      timeoutMs,
      signal,
    })
    const row = rows[0]
    if (typeof row?.size_bytes !== 'bigint' || typeof row.file_bytes !== 'bigint')
      throw new NotFoundError(`size of shard ${shard}`)
    return { shard, sizeBytes: row.size_bytes, fileBytes: row.file_bytes, error: null }
  } catch (error) {
    checkSignal(signal)
    return { shard, sizeBytes: null, fileBytes: null, error: causeOf(error) }
  }
}

/** What happened on the shard, without the fan-out's words around it. */
function causeOf(error: unknown): unknown {
  return isShardError(error, 'INCOMPLETE_FAN_OUT') ? (error.cause ?? error) : error
}

async function writeDown(
  registry: ShardRegistry,
  { shard, sizeBytes, fileBytes, error }: ShardSize,
  reservedBefore: bigint,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (sizeBytes === null || fileBytes === null) return registry.recordSizeError(shard, error, { signal })
  return registry.measure(shard, sizeBytes, { fileBytes, reservedBefore, signal })
}

function fullBy(shard: ShardRecord, size: ShardSize | undefined): boolean {
  const sizeBytes = size?.sizeBytes ?? null
  return sizeBytes !== null && isAdmissible(shard) && isFull({ ...shard, sizeBytes })
}

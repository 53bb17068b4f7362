import {
  type Clock,
  checkFamily,
  checkSignal,
  NotFoundError,
  type ShardId,
  systemClock,
  UniqueViolationError,
} from '@shard/core'
import type {
  Capacity,
  ChangeNote,
  Measurement,
  RegistryCall,
  ShardInput,
  ShardRegistry,
} from './registry.ts'
import {
  checkBytes,
  checkCapacityChange,
  checkInput,
  checkMeasurement,
  checkNote,
  checkReservation,
  checkSchemaVersion,
  checkShardId,
  checkSwap,
  checkTransition,
  checkVersion,
  errorText,
  noteOfFields,
} from './registry-arguments.ts'
import { type ShardChange, type ShardRecord, type ShardStatus, statusFields } from './shard.ts'

/** A registry in this process's memory, for tests and single-process tools: it ends with the process. */
export function memoryRegistry({
  family,
  clock = systemClock,
}: {
  family: string
  clock?: Clock
}): ShardRegistry {
  return new MemoryRegistry(checkFamily(family), clock)
}

/** Each method does its work in one go, so that no two interleave. */
class MemoryRegistry implements ShardRegistry {
  readonly family: string
  readonly #clock: Clock
  readonly #records = new Map<ShardId, ShardRecord>()
  readonly #changes: ShardChange[] = []

  constructor(family: string, clock: Clock) {
    this.family = family
    this.#clock = clock
  }

  async list({ signal }: RegistryCall = {}): Promise<readonly ShardRecord[]> {
    checkSignal(signal)
    return [...this.#records.values()].sort((a, b) => a.id - b.id)
  }

  async get(id: ShardId, { signal }: RegistryCall = {}): Promise<ShardRecord | null> {
    checkShardId(id)
    checkSignal(signal)
    return this.#records.get(id) ?? null
  }

  async register(input: ShardInput, note: ChangeNote = {}): Promise<ShardRecord> {
    const checked = checkInput(input)
    checkNote(note)
    checkSignal(note.signal)
    if (this.#records.has(checked.id))
      throw new UniqueViolationError(new Error(`shard ${checked.id} of ${this.family} is registered`))
    const nowMs = this.#clock.now()
    const record: ShardRecord = {
      ...checked,
      family: this.family,
      fileBytes: null,
      reservedKeys: 0n,
      reservedEver: 0n,
      successorId: null,
      createdAtMs: nowMs,
      sealedAtMs: null,
      lastSizeCheckAtMs: null,
      sizeError: null,
      ...statusFields(checked.status, nowMs),
      version: 1n,
    }
    this.#records.set(record.id, record)
    this.#note(record, null, note)
    return record
  }

  async transition(
    id: ShardId,
    from: ShardStatus,
    to: ShardStatus,
    note: ChangeNote & { expectedVersion?: bigint | undefined } = {},
  ): Promise<boolean> {
    const { expectedVersion, signal } = note
    checkShardId(id)
    checkTransition(from, to)
    checkNote(note)
    if (expectedVersion !== undefined) checkVersion(expectedVersion)
    checkSignal(signal)
    const record = this.#find(id)
    if (record.status !== from || record.version !== (expectedVersion ?? record.version)) return false
    this.#note(this.#change(record, statusFields(to, this.#clock.now())), from, note)
    return true
  }

  async measure(id: ShardId, sizeBytes: bigint, measurement: Measurement = {}): Promise<void> {
    checkShardId(id)
    checkBytes('sizeBytes', sizeBytes)
    const { reservedBefore, ...fields } = checkMeasurement(measurement)
    checkSignal(measurement.signal)
    const record = this.#find(id)
    const before = reservedBefore ?? record.reservedEver
    if (before < record.reservedEver - record.reservedKeys) return
    this.#change(record, {
      sizeBytes,
      ...fields,
      reservedKeys: record.reservedEver > before ? record.reservedEver - before : 0n,
      lastSizeCheckAtMs: this.#clock.now(),
      sizeError: null,
    })
  }

  async recordSizeError(id: ShardId, error: unknown, { signal }: RegistryCall = {}): Promise<void> {
    checkShardId(id)
    checkSignal(signal)
    this.#change(this.#find(id), { sizeError: errorText(error) })
  }

  async setCapacity(id: ShardId, capacity: Capacity, note: ChangeNote = {}): Promise<void> {
    checkShardId(id)
    this.#changeFields(id, checkCapacityChange(capacity), note)
  }

  async setSchemaVersion(id: ShardId, version: bigint, note: ChangeNote = {}): Promise<void> {
    checkShardId(id)
    this.#changeFields(id, { schemaVersion: checkSchemaVersion(version) }, note)
  }

  async reserve(
    id: ShardId,
    count: number,
    expectedVersion: bigint,
    { signal }: RegistryCall = {},
  ): Promise<boolean> {
    checkReservation(id, count, expectedVersion)
    checkSignal(signal)
    const record = this.#find(id)
    if (record.status !== 'active' || record.version !== expectedVersion) return false
    const keys = BigInt(count)
    this.#change(record, {
      reservedKeys: record.reservedKeys + keys,
      reservedEver: record.reservedEver + keys,
    })
    return true
  }

  async swapActive(
    fullId: ShardId | null,
    standbyId: ShardId,
    expectedVersion: bigint,
    note: ChangeNote = {},
  ): Promise<boolean> {
    checkSwap(fullId, standbyId, expectedVersion)
    checkNote(note)
    checkSignal(note.signal)
    const full = fullId === null ? null : this.#find(fullId)
    const standby = this.#find(standbyId)
    const active = [...this.#records.values()].some(({ status }) => status === 'active')
    const ready = full === null ? !active : full.status === 'active'
    if (!ready || standby.status !== 'standby' || (full ?? standby).version !== expectedVersion) return false
    const nowMs = this.#clock.now()
    if (full) {
      const sealed = this.#change(full, { ...statusFields('sealed', nowMs), successorId: standbyId })
      this.#note(sealed, 'active', note)
    }
    this.#note(this.#change(standby, statusFields('active', nowMs)), 'standby', note)
    return true
  }

  async history(id: ShardId, { signal }: RegistryCall = {}): Promise<readonly ShardChange[]> {
    checkShardId(id)
    checkSignal(signal)
    this.#find(id)
    return this.#changes.filter(({ shard }) => shard === id)
  }

  #find(id: ShardId): ShardRecord {
    const record = this.#records.get(id)
    if (record) return record
    throw new NotFoundError(`shard ${id} of ${this.family}`)
  }

  #changeFields(id: ShardId, fields: Partial<ShardRecord>, note: ChangeNote): void {
    checkNote(note)
    checkSignal(note.signal)
    const record = this.#change(this.#find(id), fields)
    this.#note(record, record.status, noteOfFields(note, fields))
  }

  #change(record: ShardRecord, fields: Partial<ShardRecord>): ShardRecord {
    const changed = { ...record, ...fields, version: record.version + 1n }
    this.#records.set(changed.id, changed)
    return changed
  }

  #note({ id, version, status }: ShardRecord, from: ShardChange['from'], note: ChangeNote): void {
    const { by, reason } = checkNote(note)
    this.#changes.push({ shard: id, version, from, to: status, by, reason, atMs: this.#clock.now() })
  }
}

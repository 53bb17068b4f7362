import {
  type Clock,
  checkLayout,
  checkSameLayout,
  type Layout,
  layouts,
  systemClock,
  delay as timer,
} from '@shard/core'
import { type LeaseStore, memoryLeaseStore, memoryLeases } from '@shard/sql'
import type { LayoutRecord } from './layout-record.ts'
import type { WorkerLeases, WorkerLeasesOptions } from './worker-leases.ts'
import { workerLeasesOver } from './worker-leases-over.ts'

/** What stands for the database: hand the same to all that should share it. */
export interface MemoryControl {
  readonly store: LeaseStore
  readonly record: LayoutRecord
}

/** A control database in the memory of this process, with a clock of its own. */
export function memoryControl(clock?: Clock): MemoryControl {
  return { store: memoryLeaseStore(clock), record: memoryLayoutRecord() }
}

/** Worker numbers in the memory of one process, for tests. */
export function memoryWorkerLeases(
  options: WorkerLeasesOptions & { readonly control?: MemoryControl },
): WorkerLeases {
  const { clock = systemClock, delay = timer, control = memoryControl(clock) } = options ?? {}
  const leases = memoryLeases({ store: control.store, clock, delay })
  return workerLeasesOver({ leases, record: control.record, clock, delay }, options)
}

function memoryLayoutRecord(): LayoutRecord {
  let onRecord: Layout | null = null
  return {
    async settle(given) {
      const wanted = given && checkLayout(given)
      onRecord ??= wanted ?? layouts.default
      if (wanted) checkSameLayout(onRecord, wanted)
      return onRecord
    },
  }
}

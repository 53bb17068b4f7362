import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Refusal } from './refusal.ts'

/** Holds a fleet for this process. */
export interface ProcessLock {
  /** Rejects if it was lost. */
  check(): Promise<void>
  release(): Promise<void>
}

/** That of a process whose parent holds the fleet: it lasts as long as the parent lives. */
export const partLock: ProcessLock = {
  async check() {
    if (!process.connected) throw new Refusal('The process that started this one has ended.', 1)
  },
  release: async () => {},
}

/**
 * Takes a directory for this process alone, by an exclusive transaction on a file of its own:
 * the kernel frees it when the process ends, also by `kill -9`. File locks of this kind need a local disk.
 * @throws Refusal if another process holds it
 */
export function lockDirectory(directory: string): ProcessLock {
  const database = new Database(join(directory, 'lock.db'), { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    throw new Refusal(`Another process is at work in ${directory}. Wait for it, or give another --data.`, 1)
  }
  return {
    check: async () => {},
    release: async () => {
      database.close()
    },
  }
}

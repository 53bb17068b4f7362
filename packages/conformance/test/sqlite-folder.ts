import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import { afterEach, beforeEach } from 'vitest'

/** SQLite files in a folder that each test has for itself. */
export interface SqliteFolder {
  pathOf(name: string): string
  /** A new connection; it is closed after the test. */
  connect(name: string): Executor
  /** Closes all connections, as the end of a process would. */
  closeAll(): Promise<void>
}

/** Makes a folder before each test of the suite it is called in, and removes it afterwards. */
export function sqliteFolder(): SqliteFolder {
  let folder = ''
  const executors: Executor[] = []
  const pathOf = (name: string): string => join(folder, `${name}.db`)
  const closeAll = async (): Promise<void> => {
    await Promise.all(executors.splice(0).map((executor) => executor.close()))
  }
  const connect = (name: string): Executor => {
    const executor = sqliteExecutor(new Database(pathOf(name)))
    executors.push(executor)
    return executor
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shard-test-'))
  })
  afterEach(async () => {
    await closeAll()
    rmSync(folder, { recursive: true })
  })
  return { pathOf, connect, closeAll }
}

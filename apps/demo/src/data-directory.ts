import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from './refusal.ts'

/**
 * Makes the directory if it is not there.
 * @throws Refusal if it cannot be made or written to
 */
export function prepareDirectory(directory: string): void {
  try {
    make(directory)
    readdirSync(directory)
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Refusal(`${directory} cannot be used for the data: ${(error as Error).message}`, 1)
  }
}

/** Not by `recursive`: where the system says ENOENT of a new name, as in /proc, Node 20 tries for ever. */
function make(directory: string): void {
  if (existsSync(directory)) return
  make(dirname(directory))
  mkdirSync(directory)
}

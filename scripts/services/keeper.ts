import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What must be ended one day: a process by its pid, or a thing that a command takes down. */
export type Duty =
  | { readonly group: string; readonly pid: number; readonly signal: NodeJS.Signals }
  | { readonly group: string; readonly command: readonly string[] }

/** One line to the watchdog. */
export type Order = Duty | { readonly gone: number }

const watchdog = fileURLToPath(new URL('watchdog.ts', import.meta.url))

/**
 * Sees to it that whatever is started is ended, however this process ends: the ending is the work of a
 * detached watchdog at the other end of a pipe. Groups end at the same time, the last started of a group first.
 */
export class Keeper {
  readonly #child: ChildProcess
  #closing: Promise<void> | null = null

  constructor(folder: string) {
    this.#child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), watchdog, folder], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#child.stdin?.on('error', () => console.error('The watchdog of the test servers has died.'))
    this.#child.unref()
  }

  get closed(): boolean {
    return this.#closing !== null
  }

  tell(order: Order): void {
    if (!this.closed) this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  /** Ends everything; resolves when all is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#child.ref()
    const ended =
      this.#child.exitCode !== null || this.#child.signalCode !== null || once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
    if (this.#child.exitCode !== 0) console.error('Some test servers may not have been stopped.')
  }
}

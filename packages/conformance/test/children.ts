import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process that answers one message with one message. */
export interface Child {
  ask<T>(message: unknown): Promise<T>
  /** Its exit code, once it has ended by itself; null if it was killed. */
  readonly ended: Promise<number | null>
  /** Ends it as a power cut would. */
  kill(): void
}

/**
 * Starts `count` processes of a script beside the tests, runs `work` once all have said `ready`, and ends
 * each of them, whatever happens.
 */
export async function withChildren<T>(
  script: string,
  count: number,
  work: (children: readonly Child[]) => Promise<T>,
  { timeoutMs = 50_000 }: { readonly timeoutMs?: number } = {},
): Promise<T> {
  const processes = Array.from({ length: count }, () => startChild(script, timeoutMs))
  try {
    await Promise.all(processes.map((child) => messageOf(child)))
    return await work(processes.map(childOf))
  } finally {
    for (const child of processes) if (child.exitCode === null) child.kill('SIGKILL')
  }
}

/** Starts a script beside the tests, which is killed if it lasts too long. */
export function startChild(script: string, timeoutMs: number): ChildProcess {
  return fork(fileURLToPath(new URL(script, import.meta.url)), {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    execArgv: ['--conditions', '@shard/source', '--import', 'tsx'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
}

function childOf(child: ChildProcess): Child {
  return {
    ask<T>(message: unknown) {
      const answer = messageOf<T>(child)
      child.send(message as object)
      return answer
    },
    ended: new Promise((resolve) => child.once('exit', resolve)),
    kill: () => void child.kill('SIGKILL'),
  }
}

function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', answered).off('error', failed).off('exit', ended)
    }
    const answered = (message: unknown): void => {
      settle()
      resolve(message as T)
    }
    const failed = (error: unknown): void => {
      settle()
      reject(error)
    }
    const ended = (code: number | null, signal: string | null): void =>
      failed(new Error(`a child ended early: ${signal ?? code}`))
    child.on('message', answered).on('error', failed).on('exit', ended)
  })
}

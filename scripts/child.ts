import { type SpawnOptions, spawn } from 'node:child_process'
import { exitCodeOf } from './interruption.ts'

/** Runs a program on our own terminal, passes an interruption on to it, and resolves to its exit code. */
export function runChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  interrupted: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    if (interrupted.aborted) return resolve(exitCodeOf(interrupted.reason))
    const child = spawn(program, args, { stdio: 'inherit', ...options })
    const passOn = () => child.kill(interrupted.reason)
    interrupted.addEventListener('abort', passOn)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      interrupted.removeEventListener('abort', passOn)
      resolve(signal ? exitCodeOf(signal) : (code ?? 1))
    })
  })
}

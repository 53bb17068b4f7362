import { constants } from 'node:os'

/**
 * A signal that aborts when the person or the system asks this process to end; it is then ours to end in order.
 * A wrapper may pass on the same Ctrl-C a second time, so only one that comes later ends the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  let since = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) since = Date.now()
      else if (Date.now() - since > 1_000) process.exit(exitCodeOf(signal))
      controller.abort(signal)
    })
  }
  return controller.signal
}

/** What a shell would report for a process that this signal has ended. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

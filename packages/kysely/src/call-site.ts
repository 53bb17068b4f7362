const kysely = /[\\/]node_modules[\\/]kysely[^\\/]*[\\/]/

/** A moment in the running code, to be looked at later, if at all. */
export function moment(): Error {
  const { stackTraceLimit } = Error
  // Kysely alone fills the usual ten.
  Error.stackTraceLimit = 40
  const taken = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return taken
}

/** The first line of the app above Kysely's; null if it cannot be told. */
export function callSite({ stack }: Error): string | null {
  const frames = (stack ?? '').split('\n').slice(1)
  const first = frames.findIndex((frame) => kysely.test(frame))
  const site = first === -1 ? undefined : frames.slice(first).find((frame) => !kysely.test(frame))
  return site?.trim().replace(/^at /, '') ?? null
}

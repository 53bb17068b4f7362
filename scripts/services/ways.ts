/** What goes into the environment of the tests. */
export type Addresses = Readonly<Record<string, string>>

/** One way to get a server. */
export interface Way {
  readonly name: 'local' | 'embedded' | 'apt' | 'docker'
  /** Why this way is closed here, to follow a colon; null if it is open. */
  blocker(): string | null | Promise<string | null>
  /** Resolves when the server answers. */
  start(): Promise<Addresses>
}

/** A server that tests use, and the ways to get it, best first. */
export interface Service {
  readonly name: 'postgres' | 'pgbouncer' | 'mysql' | 's3'
  readonly title: string
  /** The variable that holds the address: a server given there wins. */
  readonly variable: string
  /** How a person gets it, in words. */
  readonly how: string
  readonly ways: readonly Way[]
  /** All variables, from those that the person has set. */
  given(env: NodeJS.ProcessEnv): Addresses
  /** Rejects if no server answers at the address. */
  probe(addresses: Addresses): Promise<void>
}

/** A server that could not be had. */
export interface Missing {
  readonly name: Service['name']
  readonly title: string
  readonly why: string
  readonly how: string
}

/** A server and the way it was got (with what failed before), or why there is none. */
export type Found =
  | { readonly addresses: Addresses; readonly way: string; readonly failed: readonly string[] }
  | { readonly why: string }

/** Takes the first way that is open and works, or the only one that `forced` names. */
export async function firstWay(ways: readonly Way[], forced?: string): Promise<Found> {
  const tried = forced ? ways.filter(({ name }) => name === forced) : ways
  if (tried.length === 0) return { why: `there is no way named ${forced}` }
  const closed: string[] = []
  const failed: string[] = []
  for (const way of tried) {
    const blocker = await way.blocker()
    if (blocker !== null) {
      closed.push(`${way.name}: ${blocker}`)
      continue
    }
    try {
      return { addresses: await way.start(), way: way.name, failed }
    } catch (error) {
      failed.push(`${way.name}: did not start, ${error instanceof Error ? error.message : error}`)
    }
  }
  return { why: [...closed, ...failed].join('\n') }
}

/** One way of doing the work; a call does `batch` operations. */
export interface Contestant {
  readonly name: string
  /** A public library; the fastest of them is the measure of all. */
  readonly isPeer?: boolean
  run(batch: number): void | Promise<void>
  /** What else is to be said of it, found out after the race. */
  remark?(): string
}

/** What is compared; without a peer, the first contestant is the measure of the others. */
export interface Comparison {
  readonly title: string
  readonly batch: number
  /** How often each runs (15); many short ones where the machine is shared and the work takes no time. */
  readonly rounds?: number
  readonly contestants: readonly Contestant[]
  close?(): void | Promise<void>
}

/**
 * Runs the contestants in turn, round by round, so that noise on the machine meets all alike. Figures are
 * medians; the ratio is the median of the rounds' own ratios, above 1 when faster than the measure.
 */
export async function compare({ title, batch, rounds = 15, contestants, close }: Comparison): Promise<void> {
  const times: number[][] = contestants.map(() => [])
  for (let round = -2; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const start = process.hrtime.bigint()
      await contestant.run(batch)
      if (round >= 0) times[i]?.push(Number(process.hrtime.bigint() - start) / batch)
    }
  }
  await close?.()
  const measure = times[measureOf(contestants, times)] ?? []
  console.log(`\n${title}`)
  for (const [i, { name, remark }] of contestants.entries()) {
    const own = times[i] ?? []
    const ratio = median(own.map((time, round) => (measure[round] ?? Number.NaN) / time))
    const time = median(own).toFixed(median(own) < 10 ? 1 : 0)
    const what = remark ? `  ${remark()}` : ''
    console.log(`  ${name.padEnd(40)} ${time.padStart(9)} ns/op  ${ratio.toFixed(2).padStart(6)} x${what}`)
  }
}

/** A contestant with so many calls under way at once. */
export function atOnce(name: string, inFlight: number, call: (i: number) => unknown): Contestant {
  const run = async (batch: number): Promise<void> => {
    let next = 0
    const caller = async (): Promise<void> => {
      for (let i = next++; i < batch; i = next++) await call(i)
    }
    await Promise.all(Array.from({ length: inFlight }, caller))
  }
  return { name, run }
}

/** The place of the fastest peer; of the first contestant if there is none. */
function measureOf(contestants: readonly Contestant[], times: readonly number[][]): number {
  const peers = contestants.flatMap(({ isPeer }, i) => (isPeer ? [i] : []))
  peers.sort((a, b) => median(times[a] ?? []) - median(times[b] ?? []))
  return peers[0] ?? 0
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

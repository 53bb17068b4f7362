import { checkSignal } from '@shard/core'
import type { Directory } from './directory.ts'
import type { Collision, Respelling } from './respelling.ts'

/** What a renormalisation is given. */
export interface RenormaliseOptions {
  /** With both normalisers, the new one first; with the new one alone to drop what is left of the old. */
  readonly directory: Pick<Directory, 'list' | 'respell'>
  /** Only says what would happen (true). */
  readonly dryRun?: boolean | undefined
  /** Told after each thousand entries. What it throws ends the run. */
  readonly onProgress?: ((report: RenormaliseReport) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

/** How many entries met which end; see `Respelling`. */
export type RenormaliseReport = Readonly<Record<Exclude<Respelling['result'], 'collision'>, number>> & {
  readonly collisions: readonly Collision[]
}

/**
 * Brings all entries of a namespace to the spelling of its first normaliser. A dry run unless told otherwise: it
 * names the keys that become one and belong to two. Those are never touched; release or move one of the two.
 *
 * From `older` to `newer`, while everybody goes on working:
 * 1. Every process gets `[older, newer]`: claims take both spellings, and `older` says whose a key is.
 * 2. A dry run with `[newer, older]`, until it names no collisions: none can be added any more.
 * 3. Every process gets `[newer, older]`: both are read. A run with `dryRun: false` adds the new spellings.
 * 4. Every process gets `newer` alone. A run with `dryRun: false` and `newer` alone drops the old spellings.
 *
 * It takes the stored spelling for the text: the new normaliser must make the same of both. Two runs at once do no
 * harm, and one that died is simply run again.
 * @throws AbortedError, and the directory's errors; what was done stays
 */
export async function renormalise(options: RenormaliseOptions): Promise<RenormaliseReport> {
  const { directory, dryRun = true, onProgress, signal } = options
  const counts = { current: 0, respelled: 0, redundant: 0, waiting: 0, unknown: 0, gone: 0 }
  const collisions: Collision[] = []
  const report = (): RenormaliseReport => ({ ...counts, collisions: [...collisions] })
  for (let after: string | undefined; ; ) {
    const page = await directory.list({ after, signal })
    for (const { key } of page) {
      checkSignal(signal)
      const end = await directory.respell(key, { dryRun, signal })
      if (end.result === 'collision') collisions.push(end.collision)
      else counts[end.result]++
    }
    after = page.at(-1)?.key
    if (after === undefined) return report()
    await onProgress?.(report())
  }
}

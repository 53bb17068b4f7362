import { type Ending, type KeyState, type Operation, type Progress, stepsOf } from './directory-model.ts'

/** What was seen of an operation; null if it failed, and any part of it may have happened. */
export interface Observed {
  readonly operation: Operation
  readonly saw: { readonly says: string; readonly version?: bigint } | null
}

/** An operation in a search: under way, or over. */
type Thread = Progress | 'over'

/** The states that a key can be in after some operations that ran at once, from those it could be in before. */
export function statesAfter(before: readonly KeyState[], batch: readonly Observed[]): KeyState[] {
  const found = new Map<string, KeyState>()
  const seen = new Set<string>()
  const search = (state: KeyState, threads: readonly Thread[]): void => {
    const here = `${nameOf(state)} ${threads.map(threadName).join()}`
    if (seen.has(here)) return
    seen.add(here)
    if (threads.every((thread) => thread === 'over')) found.set(nameOf(state), state)
    for (const [i, thread] of threads.entries()) {
      const one = batch[i]
      if (thread === 'over' || !one) continue
      const withThread = (next: Thread): Thread[] => threads.with(i, next)
      // What failed may have failed before each of its steps.
      if (!one.saw) search(state, withThread('over'))
      for (const step of stepsOf(one.operation, thread, state)) {
        if ('progress' in step) search(step.state, withThread(step.progress))
        else {
          const after = one.saw ? agreed(step.state, step.end, one.saw) : step.state
          if (after) search(after, withThread('over'))
        }
      }
    }
  }
  const start: Progress = { at: 'begin', seen: null }
  for (const state of before)
    search(
      state,
      batch.map(() => start),
    )
  return [...found.values()]
}

/** The state with what was seen of a version, or null if the operation cannot have said so. */
function agreed(state: KeyState, end: Ending, saw: NonNullable<Observed['saw']>): KeyState | null {
  if (end.says !== saw.says) return null
  if (!end.of || saw.version === undefined) return state
  const known = state.versions.get(end.of.made)
  if (known !== undefined) return known === saw.version ? state : null
  if ([...state.versions.values()].includes(saw.version)) return null
  return { ...state, versions: new Map(state.versions).set(end.of.made, saw.version) }
}

/**
 * Forgets what no operation can ask for any more, and numbers what is left from one, so that states which differ in
 * nothing are one.
 */
export function tidied(state: KeyState, fateKeys: ReadonlySet<string>): KeyState {
  const { entry } = state
  const own = entry && `${entry.id} ${entry.token}`
  const version = entry ? state.versions.get(entry.made) : undefined
  return {
    entry: entry && { ...entry, made: 1 },
    fates: new Map([...state.fates].filter(([key]) => key === own || fateKeys.has(key))),
    versions: new Map(version === undefined ? [] : [[1, version]]),
    nextMade: 2,
  }
}

/** Two states with one name are the same. */
export function nameOf({ entry, fates, versions, nextMade }: KeyState): string {
  const file = entry ? Object.values(entry).join(':') : '-'
  return `${file} ${[...fates].sort().join(';')} ${[...versions].join(';')} ${nextMade}`
}

function threadName(thread: Thread): string {
  return thread === 'over' ? 'x' : `${thread.at}${thread.seen?.made ?? ''}${thread.seen?.isPending ?? ''}`
}

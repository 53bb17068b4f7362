import type { Fate } from '@shard/directory'

// What a directory may do with one key, as a pure machine: each operation is a row of steps, and whatever others do
// comes between two of them. directory-history.ts asks it whether a history can have happened.

/** What is on file; `made` numbers the claims and moves, and stands for the version until that is seen. */
export interface ModelEntry {
  readonly id: bigint
  readonly token: string
  readonly isPending: boolean
  readonly isExpired: boolean
  readonly made: number
}

/** One key, with the fates of its claims and the versions that were seen. */
export interface KeyState {
  readonly entry: ModelEntry | null
  readonly fates: ReadonlyMap<string, Fate>
  readonly versions: ReadonlyMap<number, bigint>
  readonly nextMade: number
}

/** One operation on a key. */
export type Operation =
  | { readonly do: 'claim'; readonly id: bigint; readonly token: string; readonly isPending: boolean }
  | { readonly do: 'put'; readonly id: bigint; readonly force: boolean }
  | { readonly do: 'confirm'; readonly token: string }
  | {
      readonly do: 'release' | 'move'
      readonly id: bigint
      readonly version: bigint | undefined
      readonly newId: bigint
    }
  | { readonly do: 'use'; readonly id: bigint; readonly token: string }
  | { readonly do: 'resolve' | 'lookup' }

/** How an operation ended: what it said, with the version of the entry that it spoke of. */
export interface Ending {
  readonly says: string
  readonly of?: ModelEntry
}

/** An operation under way: the step that is next, and what it has read. */
export interface Progress {
  readonly at: 'begin' | 'read' | 'peek' | 'settle' | 'confirm' | 'remove' | 'change'
  readonly seen: ModelEntry | null
}

/** What one step comes to: further progress, or the end. */
export type Step = { readonly state: KeyState } & ({ readonly progress: Progress } | { readonly end: Ending })

/** A key that nobody has touched. */
export const untouched: KeyState = { entry: null, fates: new Map(), versions: new Map(), nextMade: 1 }

/** What the next step of an operation may come to. */
export function stepsOf(operation: Operation, { at, seen }: Progress, state: KeyState): Step[] {
  const go = (next: Progress['at'], entry: ModelEntry | null, after: KeyState = state): Step[] => [
    { state: after, progress: { at: next, seen: entry } },
  ]
  const end = (says: string, of?: ModelEntry): Step[] => [{ state, end: of ? { says, of } : { says } }]
  if (at === 'begin') return begun(operation, state, go, end)
  if (at === 'read') return read(operation, state, go, end)
  if (!seen) throw new Error(`${at} needs an entry`)
  const lost = { ...seen, isPending: false }
  if (at === 'peek') {
    const waits = end(claimed(seen, false), seen)
    // A shard that gives no answer is taken for one that has none.
    return state.fates.get(fateKey(seen)) === 'used' ? [...go('settle', seen), ...waits] : waits
  }
  if (at === 'settle') {
    const fate = state.fates.get(fateKey(seen)) ?? 'revoked'
    const after = withFate(state, fateKey(seen), fate)
    if (operation.do === 'move' || (operation.do === 'put' && operation.force))
      return go('change', seen, after)
    return go(fate === 'used' ? 'confirm' : 'remove', seen, after)
  }
  const isThere = isSame(state.entry, seen)
  if (at === 'confirm') {
    const after = isThere ? { ...state, entry: { ...lost, isExpired: false } } : state
    if (operation.do === 'claim') return [{ state: after, end: { says: claimed(lost, false), of: lost } }]
    if (operation.do === 'release') return [{ state: after, end: { says: 'false' } }]
    if (operation.do === 'confirm')
      return isThere ? [{ state: after, end: { says: 'true' } }] : go('begin', null, after)
    return go('begin', null, after)
  }
  if (at === 'remove') {
    const after = isThere ? { ...state, entry: null } : state
    if (operation.do === 'release' && isThere) return [{ state: after, end: { says: 'true' } }]
    return go('begin', null, after)
  }
  if (!isThere || (operation.do !== 'move' && operation.do !== 'put')) return go('begin', null)
  const owner = operation.do === 'move' ? operation.newId : operation.id
  return [
    { state: withEntry(state, owner, '', false), end: { says: operation.do === 'move' ? 'true' : 'done' } },
  ]
}

type Go = (next: Progress['at'], entry: ModelEntry | null, after?: KeyState) => Step[]
type End = (says: string, of?: ModelEntry) => Step[]

function begun(operation: Operation, state: KeyState, go: Go, end: End): Step[] {
  const { entry } = state
  switch (operation.do) {
    case 'claim': {
      const { id, token, isPending } = operation
      return go('read', null, entry ? state : withEntry(state, id, token, isPending))
    }
    case 'put':
      return go('read', null, entry ? state : withEntry(state, operation.id, '', false))
    case 'resolve':
      return end(String(entry && !entry.isPending ? entry.id : null))
    case 'lookup':
      return entry ? end(`${entry.id} ${entry.isPending}`, entry) : end('null')
    case 'use': {
      const key = fateKey(operation)
      const fate = state.fates.get(key) ?? 'used'
      return [{ state: withFate(state, key, fate), end: { says: fate } }]
    }
    default:
      return read(operation, state, go, end)
  }
}

function read(operation: Operation, state: KeyState, go: Go, end: End): Step[] {
  const { entry } = state
  if (operation.do === 'confirm') {
    if (entry?.token !== operation.token) return end('false')
    return entry.isPending ? go('confirm', entry) : end('true')
  }
  if (operation.do === 'release' || operation.do === 'move') {
    const { id, version } = operation
    const isWanted = entry?.id === id && (version === undefined || state.versions.get(entry.made) === version)
    if (!entry || !isWanted) return end('false')
    if (entry.isPending) return go('settle', entry)
    return go(operation.do === 'move' ? 'change' : 'remove', entry)
  }
  if (!entry) return go('begin', null)
  if (operation.do === 'claim') {
    if (entry.id === operation.id && entry.token === operation.token) return end(claimed(entry, true), entry)
    if (!entry.isPending) return end(claimed(entry, false), entry)
    return go(entry.isExpired ? 'settle' : 'peek', entry)
  }
  if (operation.do !== 'put') throw new Error('reads nothing')
  if (entry.id === operation.id) return entry.isPending ? go('confirm', entry) : end('done')
  if (operation.force) return go(entry.isPending ? 'settle' : 'change', entry)
  return entry.isExpired ? go('settle', entry) : end(`taken ${entry.id}`)
}

/** What a claim says. */
export function claimed({ id, isPending }: Pick<ModelEntry, 'id' | 'isPending'>, won: boolean): string {
  return `${id} ${won} ${isPending}`
}

/** Where a claim's fate is. */
export function fateKey({ id, token }: { readonly id: bigint; readonly token: string }): string {
  return `${id} ${token}`
}

function isSame(entry: ModelEntry | null, seen: ModelEntry): boolean {
  return entry?.made === seen.made && entry.isPending === seen.isPending
}

function withFate(state: KeyState, key: string, fate: Fate): KeyState {
  return state.fates.has(key) ? state : { ...state, fates: new Map(state.fates).set(key, fate) }
}

function withEntry(state: KeyState, id: bigint, token: string, isPending: boolean): KeyState {
  const entry = { id, token, isPending, isExpired: false, made: state.nextMade }
  return { ...state, entry, nextMade: state.nextMade + 1 }
}

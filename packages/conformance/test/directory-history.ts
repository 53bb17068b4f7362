import assert from 'node:assert/strict'
import { isShardError } from '@shard/core'
import type { ClaimFates, Directory } from '@shard/directory'
import { nameOf, type Observed, statesAfter, tidied } from './directory-histories.ts'
import { claimed, fateKey, type KeyState, type Operation, untouched } from './directory-model.ts'

/** What a history is made on. */
export interface HistoryHost {
  readonly directory: Directory
  readonly fates: ClaimFates
  /** Lets the time of all pending claims pass. */
  advance(): void
}

/** What a history came to. */
export interface HistoryReport {
  readonly operations: number
  /** Those that failed, by their code. */
  readonly failures: Readonly<Record<string, number>>
  /** Those that ran at once with another on the same key. */
  readonly rivals: number
}

/** A claim's time: so long that it passes only when it is told to. */
const TTL_MS = 3_600_000
const KEYS = 3
/** Claims of a key that are remembered, to be confirmed late, repeated, and released when they are long gone. */
const REMEMBERED = 5

interface KnownClaim {
  readonly id: bigint
  readonly token: string
  /** All that it was seen under, the latest last: once released and made again it has another. */
  readonly versions: bigint[]
}

interface KeyHistory {
  readonly key: string
  readonly claims: KnownClaim[]
  states: KeyState[]
}

/**
 * Runs random operations, up to three at once, and checks after each batch that some order of their steps explains
 * what every one of them said: one owner at a time, no answer that nothing has written, no late call that hits a newer
 * claim. Operations that failed may have happened in part. Without faults in the host, none may fail.
 */
export async function checkHistory(
  host: HistoryHost,
  operations: number,
  random: () => number,
): Promise<HistoryReport> {
  const histories = Array.from(
    { length: KEYS },
    (_, i): KeyHistory => ({ key: `key ${i}`, claims: [], states: [untouched] }),
  )
  const failures: Record<string, number> = {}
  let rivals = 0
  let lastId = 0n
  const newClaim = (history: KeyHistory): KnownClaim => {
    lastId++
    const claim: KnownClaim = { id: lastId, token: `t${lastId}`, versions: [] }
    history.claims.push(claim)
    if (history.claims.length > REMEMBERED) history.claims.shift()
    return claim
  }
  for (let done = 0; done < operations; ) {
    if (random() < 0.08) expireAll(host, histories)
    const batch = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const history = histories[Math.floor(random() * KEYS)] ?? assert.fail()
      return { history, operation: operationOn(history, random, newClaim) }
    })
    const observed = await Promise.all(
      batch.map(({ history, operation }) => observe(host, history, operation, failures)),
    )
    for (const history of new Set(batch.map((one) => one.history))) {
      const own = observed.filter((_, i) => batch[i]?.history === history)
      if (own.length > 1) rivals += own.length
      settle(history, own)
    }
    done += batch.length
  }
  return { operations, failures, rivals }
}

function expireAll(host: HistoryHost, histories: readonly KeyHistory[]): void {
  host.advance()
  for (const history of histories)
    history.states = history.states.map((state) => {
      const { entry } = state
      return entry?.isPending ? { ...state, entry: { ...entry, isExpired: true } } : state
    })
}

function settle(history: KeyHistory, observed: readonly Observed[]): void {
  const { key, states } = history
  const after = statesAfter(states, observed)
  if (after.length === 0) {
    const show = (value: unknown): string =>
      JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v instanceof Map ? [...v] : v), 1)
    assert.fail(`nothing explains what was seen of ${key}: ${show(observed)} from ${show(states)}`)
  }
  const fateKeys = new Set(history.claims.map(fateKey))
  history.states = [
    ...new Map(after.map((state) => tidied(state, fateKeys)).map((state) => [nameOf(state), state])).values(),
  ]
}

function operationOn(
  history: KeyHistory,
  random: () => number,
  newClaim: (history: KeyHistory) => KnownClaim,
): Operation {
  // The latest claim is most often the one on file.
  const place = random() < 0.4 ? history.claims.length - 1 : Math.floor(random() * history.claims.length)
  const old = history.claims[place] ?? newClaim(history)
  const dice = random()
  const isPending = random() < 0.7
  if (dice < 0.25) return { do: 'claim', isPending, ...idAndToken(newClaim(history)) }
  // Again, after a lost reply or without need, and maybe long after it was revoked.
  if (dice < 0.32) return { do: 'claim', isPending, ...idAndToken(old) }
  if (dice < 0.42) return { do: 'use', ...idAndToken(old) }
  if (dice < 0.52) return { do: 'confirm', token: old.token }
  const seen = old.versions[Math.floor(random() * old.versions.length)]
  const version = random() < 0.7 ? seen : undefined
  if (dice < 0.67) return { do: 'release', id: old.id, version, newId: 0n }
  if (dice < 0.74) return { do: 'move', id: old.id, version, newId: newClaim(history).id }
  if (dice < 0.8)
    return { do: 'put', id: random() < 0.5 ? old.id : newClaim(history).id, force: random() < 0.5 }
  return { do: dice < 0.92 ? 'resolve' : 'lookup' }
}

function idAndToken({ id, token }: KnownClaim): { id: bigint; token: string } {
  return { id, token }
}

async function observe(
  host: HistoryHost,
  history: KeyHistory,
  operation: Operation,
  failures: Record<string, number>,
): Promise<Observed> {
  try {
    return { operation, saw: await seen(host, history, operation) }
  } catch (error) {
    if (!isShardError(error)) throw error
    failures[error.code] = (failures[error.code] ?? 0) + 1
    return { operation, saw: null }
  }
}

type Saw = NonNullable<Observed['saw']>

async function seen(
  { directory, fates }: HistoryHost,
  { key, claims }: KeyHistory,
  operation: Operation,
): Promise<Saw> {
  switch (operation.do) {
    case 'claim': {
      const { id, token, isPending } = operation
      const claim = await directory.claim(key, id, { token, ttlMs: isPending ? TTL_MS : undefined })
      const { won, version, state } = claim
      const own = claims.find((one) => one.id === claim.id)
      if (own && own.versions.at(-1) !== version) own.versions.push(version)
      return { says: claimed({ id: claim.id, isPending: state === 'pending' }, won), version }
    }
    case 'put':
      return directory.put(key, operation.id, { force: operation.force }).then(
        () => ({ says: 'done' }),
        (error) => {
          if (!isShardError(error, 'KEY_TAKEN')) throw error
          return { says: `taken ${(error as unknown as { id: bigint }).id}` }
        },
      )
    case 'confirm':
      return { says: String(await directory.confirm(key, operation.token)) }
    case 'release':
      return { says: String(await directory.release(key, operation.id, operation.version)) }
    case 'move':
      return { says: String(await directory.move(key, operation.id, operation.newId, operation.version)) }
    case 'use':
      return { says: await fates.settle(operation.id, operation.token, 'used') }
    case 'resolve':
      return { says: String(await directory.resolve(key)) }
    case 'lookup': {
      const entry = await directory.lookup(key)
      return entry
        ? { says: `${entry.id} ${entry.state === 'pending'}`, version: entry.version }
        : { says: 'null' }
    }
  }
}

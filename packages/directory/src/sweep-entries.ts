import type { Id } from '@shard/core'
import type { Entry } from './directory.ts'
import type { Existence, Finding, Sweep } from './sweep.ts'

/** Ids that are asked for at once. */
const AT_ONCE = 16

/** Goes through the directory: each key should lead to an account. */
export async function sweepEntries(sweep: Sweep): Promise<void> {
  const { directory, olderThanMs, signal } = sweep
  for (let after: string | undefined; ; ) {
    const page = await directory.list({ after, olderThanMs, signal })
    for (let i = 0; i < page.length; i += AT_ONCE)
      if (!(await isChunkDone(sweep, page.slice(i, i + AT_ONCE)))) return
    after = page.at(-1)?.key
    if (after === undefined) return
  }
}

/** False if the limit was reached. */
async function isChunkDone(sweep: Sweep, entries: readonly Entry[]): Promise<boolean> {
  const answers = await Promise.all(entries.map((entry) => first(sweep, entry)))
  for (const [i, entry] of entries.entries()) {
    sweep.saw('entries')
    const { key, id, state } = entry
    const answer = answers[i]
    if (answer === 'yes') continue
    if (answer === 'unknown') {
      await sweep.note({ kind: 'unknown', key, id, action: 'none' })
      continue
    }
    if (!sweep.mayRepair()) return false
    const finding = await (state === 'pending' ? endClaim(sweep, entry) : freeKey(sweep, entry))
    if (finding) await sweep.note(finding)
  }
  return true
}

/** Pending claims are not asked for: their fate says whether there is an account. */
async function first(sweep: Sweep, { id, state }: Entry): Promise<Existence | 'pending'> {
  return state === 'pending' ? 'pending' : existence(sweep, id)
}

/** What the shard says; no answer is no answer. */
export async function existence({ exists, signal }: Sweep, id: Id): Promise<Existence> {
  try {
    const answer = await exists(id, { signal })
    return answer === 'yes' || answer === 'no' ? answer : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Ends an expired claim; null if it may still go on, or is another by now. */
async function endClaim(
  sweep: Sweep,
  { key, id, version, expiresAtMs, updatedAtMs }: Entry,
): Promise<Finding | null> {
  const { directory, olderThanMs, repair, signal } = sweep
  const finding = { kind: 'expired', key, id } as const
  // By the age that it was listed for, in the database's own time.
  const isExpired = (expiresAtMs ?? 0) - updatedAtMs <= olderThanMs
  if (!repair) return isExpired ? { ...finding, action: 'freed' } : null
  const fate = await directory.settle(key, version, { signal }).catch(() => 'unknown' as const)
  if (fate === 'open' || fate === null) return null
  if (fate === 'unknown') return { ...finding, kind: 'unknown', action: 'none' }
  return { ...finding, action: fate === 'used' ? 'confirmed' : 'freed' }
}

/** Frees a key whose id has no account, once that is certain to stay so. */
async function freeKey(sweep: Sweep, { key, id, version }: Entry): Promise<Finding | null> {
  const { directory, repair, signal } = sweep
  const finding = { kind: 'no-account', key, id } as const
  if (!repair) return { ...finding, action: 'freed' }
  const fate = await directory.settle(key, version, { signal }).catch(() => 'unknown' as const)
  if (fate === 'unknown') return { ...finding, kind: 'unknown', action: 'none' }
  if (fate !== 'used' && fate !== 'revoked') return null
  // The account of a used claim may have been committed since it was first asked for.
  const answer = await existence(sweep, id)
  if (answer === 'yes') return null
  if (answer === 'unknown') return { ...finding, kind: 'unknown', action: 'none' }
  const isFreed = await directory.release(key, id, version, { signal })
  return { ...finding, action: isFreed ? 'freed' : 'none' }
}

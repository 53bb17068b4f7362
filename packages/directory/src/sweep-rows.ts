import type { Finding, KeyedRow, Sweep } from './sweep.ts'
import { existence } from './sweep-entries.ts'

/** Goes through the accounts: each should have its key. */
export async function sweepRows(
  sweep: Sweep,
  rows: AsyncIterable<KeyedRow> | Iterable<KeyedRow>,
): Promise<void> {
  for await (const row of rows) {
    sweep.saw('rows')
    const entry = await sweep.directory.lookup(row.key, { signal: sweep.signal })
    if (entry?.id === row.id) continue
    if (!entry && !sweep.mayRepair()) return
    await sweep.note(entry ? { ...row, kind: 'other-owner', action: 'none' } : await claimKey(sweep, row))
  }
}

/** Gives an account its key, if the account is still there and the key still free. */
async function claimKey(sweep: Sweep, { key, id }: KeyedRow): Promise<Finding> {
  const { directory, repair, signal } = sweep
  const finding = { kind: 'no-key', key, id } as const
  const answer = await existence(sweep, id)
  if (answer === 'unknown') return { ...finding, kind: 'unknown', action: 'none' }
  if (answer === 'no') return { ...finding, action: 'none' }
  if (!repair) return { ...finding, action: 'claimed' }
  const { won } = await directory.claim(key, id, { signal })
  return won ? { ...finding, action: 'claimed' } : { ...finding, kind: 'other-owner', action: 'none' }
}

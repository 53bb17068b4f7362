import { type Id, isShardError } from '@shard/core'
import { exactKey, usernameKey } from '@shard/directory'
import { directoryOn } from './directory-hosts.ts'
import { openDatabase } from './fresh-database.ts'

// One of two processes that claim and look up the same names, with the normalisers that it is told are live;
// directory-rollout.test.ts runs it.

/** What a process is to do, with which normalisers, the primary one first. */
export interface Shift {
  readonly url: string
  readonly versions: readonly number[]
  readonly names: readonly string[]
  readonly firstId: string
}

/** Whose a name was, by a claim or a look. */
export interface Seen {
  readonly name: string
  readonly id: string
}

const folds = new Map([
  [1, exactKey],
  [2, usernameKey],
])

async function work({ url, versions, names, firstId }: Shift): Promise<Seen[]> {
  const executor = openDatabase(url, 2)
  const normaliser = versions.map((version) => ({ version, fold: folds.get(version) ?? exactKey }))
  const directory = directoryOn(executor, { normaliser })
  const seen: { name: string; id: Id | null }[] = []
  for (const [i, name] of names.entries()) {
    // A name that will be one with another's is refused to who knows that, and given to nobody.
    const claim = await directory.claim(name, BigInt(firstId) + BigInt(i)).catch((error: unknown) => {
      if (isShardError(error, 'KEY_TAKEN')) return { id: null }
      throw error
    })
    seen.push({ name, id: claim.id }, { name, id: await directory.resolve(name) })
  }
  for (const [name, id] of await directory.resolveMany(names)) seen.push({ name, id })
  await executor.close()
  return seen.flatMap(({ name, id }) => (id === null ? [] : { name, id: `${id}` }))
}

process.on('message', async (shift: Shift) => {
  process.send?.(await work(shift))
})
process.send?.('ready')

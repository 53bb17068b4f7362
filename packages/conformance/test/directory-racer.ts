import { directoryOn } from './directory-hosts.ts'
import { openDatabase } from './fresh-database.ts'

// One of several processes that claim the same keys of one database; directory-race.test.ts runs it. It says
// that it is ready and waits for its heat, so that all start at once, and answers with what it saw.

/** What a racer saw of a key: the id on file, and whether that is its own claim. */
export interface Sighting {
  readonly key: string
  readonly id: string
  readonly won: boolean
}

/** What a racer is to do. */
export interface Heat {
  readonly url: string
  /** In the order in which to claim them. */
  readonly keys: readonly string[]
  /** The key at place n is claimed for the id `firstId` + n. */
  readonly firstId: string
}

async function race({ url, keys, firstId }: Heat): Promise<Sighting[]> {
  const executor = openDatabase(url, 1)
  const directory = directoryOn(executor)
  const sightings: Sighting[] = []
  for (const [place, key] of keys.entries()) {
    const { id, won } = await directory.claim(key, BigInt(firstId) + BigInt(place))
    sightings.push({ key, id: id.toString(), won })
  }
  await executor.close()
  return sightings
}

process.once('message', async (heat: Heat) => {
  process.send?.(await race(heat), () => process.disconnect())
})
process.send?.('ready')

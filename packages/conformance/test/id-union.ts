import { readFileSync } from 'node:fs'

/** How many ids there are in some files, and how many of them were there before. */
export interface Union {
  readonly ids: number
  readonly repeats: number
}

/** Counts the ids of 64 bits in some files. All of them must fit into memory. */
export function unionOf(files: readonly string[]): Union {
  const parts = files.map((file) => {
    const bytes = readFileSync(file)
    return new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~7)))
  })
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  all.sort()
  let repeats = 0
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) repeats++
  return { ids: all.length, repeats }
}

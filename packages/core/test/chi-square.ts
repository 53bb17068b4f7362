/** How unevenly keys fall on n shards, in standard deviations from what chance does: 0 is like chance. */
export function unevenness(shards: readonly number[], n: number): number {
  const counts = new Array<number>(n).fill(0)
  for (const shard of shards) counts[shard] = (counts[shard] as number) + 1
  const expected = shards.length / n
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // Wilson and Hilferty's normal approximation, https://doi.org/10.1073/pnas.17.12.684
  const degrees = n - 1
  return ((chiSquare / degrees) ** (1 / 3) - 1 + 2 / (9 * degrees)) / Math.sqrt(2 / (9 * degrees))
}

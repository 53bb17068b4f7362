/** Lays out rows of text in columns; the first row is the heading. Columns of numbers stand to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...body] = rows
  const widths = heading.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const right = heading.map((_, i) => body.every((row) => /^[\d.,%-]+( \w+)?$/.test(row[i] ?? '')))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (right[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n')
}

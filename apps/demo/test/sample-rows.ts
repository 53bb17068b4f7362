import type { SourceRow } from './stored.ts'

/** Some rows of some people, who come one after another, with repeated rows and addresses in other spellings. */
export function sampleRows(count: number, people: number): SourceRow[] {
  const newestAt = (i: number): number => Math.floor((i * people) / count)
  return Array.from({ length: count }, (_, i) => {
    const isNew = i === 0 || newestAt(i) !== newestAt(i - 1)
    const person = isNew ? newestAt(i) : (i * 7 + Math.floor(i / 13)) % (newestAt(i) + 1)
    const email = `person.${person}@example.org`
    return {
      email: i % 9 === 4 ? email.toUpperCase() : email,
      name: i % 5 === 2 ? `Ünal "P" ${person}` : `Person ${person}`,
      message: i % 4 === 1 ? 'ok, thanks' : `Line one of ${i},\nand "line two"`,
    }
  })
}

/** The rows as a CSV file. */
export function csvOf(rows: readonly SourceRow[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map(({ email, name, message }) => [email, name, message].map(quoted).join(','))
  return ['email,name,message', ...lines, ''].join('\n')
}

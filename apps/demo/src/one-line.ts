/** Text of strangers as one short line, without characters that a terminal would obey. */
export function oneLine(text: string, maxLength: number): string {
  const characters = [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}...` : characters.join('')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a `binaryText` column: text, or on an engine that keeps such text as bytes, its UTF-8. */
export function textOf(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : utf8.decode(value)
}

import { MAX_BODY_BYTES } from './body.ts'

/** The text of an answer, or that it is longer than any of ours. */
export type BodyText = { readonly text: string } | { readonly isTooLong: true }

/** Reads the body of an answer, and no more of it than could be ours. */
export async function readBody(body: unknown): Promise<BodyText> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(body)) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return { isTooLong: true }
    chunks.push(part)
  }
  const decoder = new TextDecoder()
  return { text: chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode() }
}

function chunksOf(body: unknown): Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string> {
  if (body === undefined || body === null) return []
  if (typeof body === 'string' || body instanceof Uint8Array) return [body]
  return body as AsyncIterable<Uint8Array>
}

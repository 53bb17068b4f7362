/** The driver takes bytes only as a Buffer. */
export function encode(values: readonly unknown[]): readonly unknown[] {
  return values.some(isForeign) ? values.map((value) => (isForeign(value) ? toBuffer(value) : value)) : values
}

function isForeign(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

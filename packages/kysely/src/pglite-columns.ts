import { postgresIsBigint } from '@shard/core/adapter'
import type { ColumnsOf } from './column-reading.ts'

/** The part of a PGlite that is used; what it gives is typed loosely, as its messages are of many kinds. */
export interface DescribingPglite {
  readonly waitReady: Promise<void>
  runExclusive<T>(work: () => Promise<T>): Promise<T>
  execProtocol(
    message: Uint8Array,
    options?: { throwOnError?: boolean; syncToFs?: boolean },
  ): Promise<{ readonly messages: readonly object[] }>
}

/** A column of PostgreSQL's RowDescription; `tableID` is 0 for a computed value. */
interface Field {
  readonly name: string
  readonly dataTypeID: number
  readonly tableID: number
}

/**
 * Reads integers by their columns' types and tables, which PGlite's results leave out: it asks the engine to
 * describe the statement, by the wire protocol's Parse and Describe. No setting of PGlite's parsers is needed.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function pgliteColumns(pglite: DescribingPglite): ColumnsOf {
  return async ({ sql }) => {
    await pglite.waitReady
    return fieldsOf(await pglite.runExclusive(() => describe(pglite, sql))).map(
      ({ name, dataTypeID, tableID }) => ({
        name,
        integer: postgresIsBigint(dataTypeID, tableID) ? 'bigint' : null,
      }),
    )
  }
}

async function describe(pglite: DescribingPglite, sql: string): Promise<readonly object[]> {
  const options = { syncToFs: false, throwOnError: true }
  const messages: object[] = []
  try {
    await pglite.execProtocol(message('P', `\0${sql}\0\0\0`), options)
    messages.push(...(await pglite.execProtocol(message('D', 'S\0'), options)).messages)
  } finally {
    await pglite.execProtocol(message('S', ''), options)
  }
  return messages
}

/** A message of the protocol: its kind, its length without the kind, its text. */
function message(kind: string, text: string): Uint8Array {
  const body = new TextEncoder().encode(text)
  const bytes = new Uint8Array(5 + body.length)
  bytes[0] = kind.charCodeAt(0)
  new DataView(bytes.buffer).setInt32(1, 4 + body.length)
  bytes.set(body, 5)
  return bytes
}

function fieldsOf(messages: readonly object[]): readonly Field[] {
  return messages.flatMap((one) => ('fields' in one ? (one.fields as readonly Field[]) : []))
}

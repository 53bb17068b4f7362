import type { Parser } from './client.ts'

const INT8 = 20

/** Array types of the server's own types, by the type of their elements. Source: as in `rows.ts`. */
const arrayOf: Readonly<Record<number, number>> = {
  16: 1000,
  17: 1001,
  18: 1002,
  19: 1003,
  20: 1016,
  21: 1005,
  23: 1007,
  25: 1009,
  26: 1028,
  114: 199,
  142: 143,
  650: 651,
  700: 1021,
  701: 1022,
  829: 1040,
  869: 1041,
  1042: 1014,
  1043: 1015,
  1082: 1182,
  1083: 1183,
  1114: 1115,
  1184: 1185,
  1186: 1187,
  1700: 1231,
  2950: 2951,
  3802: 3807,
}

/** Teaches a client to read arrays of the server's own types, elements as the client reads such values alone. */
export function readArrays(parsers: Record<number, Parser | undefined>): void {
  for (const [element, array] of Object.entries(arrayOf)) {
    const type = Number(element)
    const read = type === INT8 ? BigInt : (parsers[type] ?? ((text: string) => text))
    const parse: Parser = (text) => parseArray(text, read)
    parse.array = true
    parsers[array] ??= parse
  }
}

/** Reads `1,NULL,"a \"b\"",{2}}`: an array without its first brace, as the driver gives it. */
export function parseArray(text: string, read: (element: string) => unknown): unknown[] {
  // A brace, a comma, a quoted element or a bare one.
  const tokens = text.matchAll(/[{},]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs)
  const list = (): unknown[] => {
    const elements: unknown[] = []
    for (let next = tokens.next(); !next.done; next = tokens.next()) {
      const [token, quoted] = next.value
      if (token === '}') break
      if (token === '{') elements.push(list())
      else if (quoted !== undefined) elements.push(read(quoted.replace(/\\(.)/gs, '$1')))
      else if (token !== ',') elements.push(token === 'NULL' ? null : read(token))
    }
    return elements
  }
  return list()
}

import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import postgres from 'postgres'

type Row = Readonly<Record<string, unknown>>

/** Runs SQL on a database by its address, without the app's code; values as decimal or plain text. */
export async function runSql(address: string, sql: string): Promise<readonly Record<string, string>[]> {
  return (await rowsOf(address, sql)).map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value)])),
  )
}

async function rowsOf(address: string, sql: string): Promise<readonly Row[]> {
  if (address.startsWith('postgres')) {
    const database = decodeURIComponent(new URL(address).pathname.slice(1))
    const client = postgres(address, { database, max: 1, onnotice: () => {} })
    return client.unsafe(sql).finally(() => client.end())
  }
  if (address.startsWith('mysql')) {
    const connection = await mysql.createConnection({
      uri: address,
      supportBigNumbers: true,
      bigNumberStrings: true,
    })
    const [rows] = await connection.query(sql).finally(() => connection.end())
    return Array.isArray(rows) ? (rows as Row[]) : []
  }
  const file = new Database(address.replace('sqlite:', ''), { readonly: true })
  try {
    return file.prepare(sql).safeIntegers().all() as Row[]
  } finally {
    file.close()
  }
}

import { basename, join, resolve } from 'node:path'
import { type DialectName, shardDatabaseName } from '@shard/core'
import { Refusal } from './refusal.ts'
import { FAMILY } from './schema.ts'

/** One database, as it was named on the command line. */
export interface Target {
  readonly dialect: DialectName
  /** For the driver: a URL, or the absolute path of a file. */
  readonly address: string
  /** The database's own name. */
  readonly name: string
  /** For people to read, without the password. */
  readonly shown: string
}

const schemes: Readonly<Record<string, DialectName>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** Longer names are cut by PostgreSQL in silence: https://www.postgresql.org/docs/current/limits.html */
const MAX_NAME_BYTES = 63

/**
 * Reads `postgres://...`, `mysql://...`, `sqlite:path` or a plain path. Messages never show what was given: a
 * URL can hold a password.
 * @throws Refusal
 */
export function targetOf(text: string): Target {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'sqlite') return fileTarget(text.replace(/^sqlite:(\/\/)?/i, ''))
  const dialect = schemes[scheme]
  if (!dialect) throw new Refusal(`There is no engine for ${scheme}://. --help shows the addresses.`)
  return serverTarget(dialect, scheme, text)
}

/** The files of a data directory: a global database and three shards. */
export function filesIn(directory: string): { readonly global: Target; readonly shards: readonly Target[] } {
  const file = (name: string): Target => fileTarget(join(directory, `${name}.db`))
  return { global: file('global'), shards: [0, 1, 2].map((id) => file(shardDatabaseName(FAMILY, id))) }
}

function fileTarget(path: string): Target {
  if (path === '') throw new Refusal('A SQLite database needs a path.')
  const address = resolve(path)
  return { dialect: 'sqlite', address, name: basename(address, '.db'), shown: address }
}

function serverTarget(dialect: DialectName, scheme: string, text: string): Target {
  const { host, name } = parts(scheme, text)
  if (name === '') throw new Refusal(`${scheme}://${host}/ names no database.`)
  if (name.includes('\0') || Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Refusal(`The name of a database on ${host} has more than ${MAX_NAME_BYTES} bytes, or a NUL.`)
  return { dialect, address: text, name, shown: `${scheme}://${host}/${name}` }
}

function parts(scheme: string, text: string): { host: string; name: string } {
  try {
    const { host, pathname } = new URL(text)
    return { host, name: decodeURIComponent(pathname.slice(1)) }
  } catch {
    throw new Refusal(`A ${scheme}:// address is no URL. Special characters in it are written as %40.`)
  }
}

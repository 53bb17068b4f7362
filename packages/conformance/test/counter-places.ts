import { S3Client } from '@aws-sdk/client-s3'
import type { Executor } from '@shard/core'
import type { Counter } from '@shard/s3-alloc'
import { mysqlCounter, schema as mysqlSchema } from '@shard/s3-alloc/mysql'
import { postgresCounter, schema as postgresSchema } from '@shard/s3-alloc/postgres'
import { s3Counter } from '@shard/s3-alloc/s3'
import { sqliteCounter, schema as sqliteSchema } from '@shard/s3-alloc/sqlite'
import type { SchemaLadder } from '@shard/sql'
import { clientConfig } from './counter-client.ts'
import type { Database } from './databases.ts'
import { openDatabase } from './fresh-database.ts'

/** Where counters are, so that another process can open them: a database, or a bucket. */
export type CounterPlace =
  | { readonly kind: 'sql'; readonly dialect: Database['dialect']; readonly url: string }
  | { readonly kind: 's3'; readonly endpoint: string; readonly bucket: string }

interface SqlAdapter {
  counter(executor: Executor, name: string): Counter
  readonly schema: SchemaLadder
}

/** Counters in a database, by its dialect. */
export const sqlAdapters: Record<Database['dialect'], SqlAdapter> = {
  sqlite: { counter: sqliteCounter, schema: sqliteSchema },
  postgres: { counter: postgresCounter, schema: postgresSchema },
  mysql: { counter: mysqlCounter, schema: mysqlSchema },
}

/** Opens counters of a place, each over a connection of its own. */
export function openPlace(place: CounterPlace): { counter(name: string): Counter; close(): Promise<void> } {
  if (place.kind === 'sql') {
    const executor = openDatabase(place.url, 2)
    return {
      counter: (name) => sqlAdapters[place.dialect].counter(executor, name),
      close: () => executor.close(),
    }
  }
  const client = clientOf(place.endpoint)
  return {
    counter: (name) => s3Counter({ client, bucket: place.bucket, key: name }),
    close: async () => client.destroy(),
  }
}

/** The real SDK for a store at an address. */
export function clientOf(endpoint: string): S3Client {
  return new S3Client({
    ...clientConfig,
    endpoint,
    credentials: {
      accessKeyId: process.env.SHARD_TEST_S3_ACCESS_KEY ?? 'shard',
      secretAccessKey: process.env.SHARD_TEST_S3_SECRET_KEY ?? 'shard-secret',
    },
  })
}

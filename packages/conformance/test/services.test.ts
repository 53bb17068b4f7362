import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createPool } from 'mysql2/promise'
import postgres from 'postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { behindPgBouncer, databases, s3Store, withServer } from './databases.ts'

const [, postgresRow, mariadbRow] = databases
if (!postgresRow || !mariadbRow) throw new Error('the table of databases has lost a row')

withServer('postgres', postgresRow.availability, (url) => {
  describe('the PostgreSQL server', () => {
    const sql = postgres(url, { max: 2, onnotice: () => {} })
    afterAll(() => sql.end({ timeout: 5 }))

    test('is PostgreSQL 14 or later with UTF-8', async () => {
      const [row] = await sql`select version(), current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding`
      expect(row?.version).toMatch(/^PostgreSQL /)
      expect(row?.number).toBeGreaterThanOrEqual(140_000)
      expect(row?.encoding).toBe('UTF8')
    })

    test('keeps two open transactions apart', async () => {
      const table = `probe_${randomUUID().replaceAll('-', '')}`
      await sql.unsafe(`create table ${table} (id int primary key)`)
      try {
        await sql.begin(async (one) => {
          await one.unsafe(`insert into ${table} values (1)`)
          const seen = await sql.begin((two) => two.unsafe(`select count(*)::int as count from ${table}`))
          expect(seen[0]?.count).toBe(0)
        })
        expect((await sql.unsafe(`select count(*)::int as count from ${table}`))[0]?.count).toBe(1)
      } finally {
        await sql.unsafe(`drop table ${table}`)
      }
    })
  })
})

withServer(behindPgBouncer.name, behindPgBouncer.availability, (url) => {
  describe('PgBouncer', () => {
    const sql = postgres(url, { max: 2, onnotice: () => {} })
    afterAll(() => sql.end({ timeout: 5 }))

    test('lends a server connection for no longer than a transaction', async () => {
      const [one, two] = [await sql.reserve(), await sql.reserve()]
      const pid = async (connection: postgres.ReservedSql) =>
        (await connection.unsafe('select pg_backend_pid() as pid'))[0]?.pid
      expect(await pid(one)).toBe(await pid(two))
      await one.unsafe('begin')
      expect(await pid(one)).not.toBe(await pid(two))
      await one.unsafe('rollback')
      for (const connection of [one, two]) connection.release()
    })
  })
})

withServer('mariadb', mariadbRow.availability, (url) => {
  describe('the MariaDB or MySQL server', () => {
    const pool = createPool({ uri: url, connectionLimit: 2 })
    afterAll(() => pool.end())

    test('is MariaDB 10.6, or MySQL 8, or later', async () => {
      const [rows] = await pool.query('select version() as version')
      const { version } = (rows as { version: string }[])[0] ?? { version: '' }
      const [major = 0, minor = 0] = version.split('.').map(Number.parseFloat)
      expect(major * 100 + minor, version).toBeGreaterThanOrEqual(/mariadb/i.test(version) ? 1006 : 800)
    })

    test('keeps two open transactions apart', async () => {
      const table = `probe_${randomUUID().replaceAll('-', '')}`
      await pool.query(`create table ${table} (id int primary key) engine = innodb`)
      const [one, two] = [await pool.getConnection(), await pool.getConnection()]
      const count = async () => (await two.query(`select count(*) as count from ${table}`))[0]
      try {
        await one.beginTransaction()
        await one.query(`insert into ${table} values (1)`)
        await two.beginTransaction()
        expect(await count()).toEqual([{ count: 0 }])
        await two.commit()
        await one.commit()
        expect(await count()).toEqual([{ count: 1 }])
      } finally {
        one.destroy()
        two.destroy()
        await pool.query(`drop table ${table}`)
      }
    })
  })
})

withServer('s3', s3Store, (endpoint) => {
  describe('the S3 store', () => {
    const client = openS3(endpoint)
    const bucket = `probe-${randomUUID()}`
    afterAll(() => client.destroy())
    const put = (Key: string, Body: string, condition: { IfNoneMatch?: string; IfMatch?: string }) =>
      client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...condition }))
    const read = async (Key: string) =>
      await (await client.send(new GetObjectCommand({ Bucket: bucket, Key }))).Body?.transformToString()
    const refused = { $metadata: { httpStatusCode: 412 } }

    test('creates an object once under If-None-Match: *', async () => {
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
      await put('once', 'first', { IfNoneMatch: '*' })
      await expect(put('once', 'second', { IfNoneMatch: '*' })).rejects.toMatchObject(refused)
      expect(await read('once')).toBe('first')
    })

    test('replaces an object only under the ETag that it has', async () => {
      const stale = (await put('swap', 'first', {})).ETag ?? ''
      const current = (await put('swap', 'second', {})).ETag ?? ''
      await expect(put('swap', 'third', { IfMatch: stale })).rejects.toMatchObject(refused)
      await expect(put('swap', 'third', { IfMatch: unquoted(stale) })).rejects.toMatchObject(refused)
      // Ceph compares with the bare ETag, others with the quoted one.
      await put('swap', 'third', { IfMatch: current }).catch(() =>
        put('swap', 'third', { IfMatch: unquoted(current) }),
      )
      expect(await read('swap')).toBe('third')
    })
  })
})

function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}

function openS3(endpoint: string): S3Client {
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: process.env.SHARD_TEST_S3_ACCESS_KEY ?? 'shard',
      secretAccessKey: process.env.SHARD_TEST_S3_SECRET_KEY ?? 'shard-secret',
    },
  })
}

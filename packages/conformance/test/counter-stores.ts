import { randomUUID } from 'node:crypto'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { applySchema } from '@shard/sql'
import { Miniflare } from 'miniflare'
import { BUCKET } from './counter-client.ts'
import { type CounterPlace, clientOf, sqlAdapters } from './counter-places.ts'
import type { Database } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** A place that a test has for itself. */
export interface OwnPlace {
  readonly place: CounterPlace
  drop(): Promise<void>
}

/** A database of an engine with the table of counters. */
export async function databasePlace(engine: Database): Promise<OwnPlace> {
  const { url, drop } = await freshDatabase(engine)
  const executor = openDatabase(url, 1)
  await applySchema(executor, sqlAdapters[engine.dialect].schema)
  await executor.close()
  return { place: { kind: 'sql', dialect: engine.dialect, url }, drop }
}

/** A bucket of its own in a store that speaks S3. */
export async function bucketPlace(endpoint: string): Promise<OwnPlace> {
  const bucket = `shard-${randomUUID()}`
  const client = clientOf(endpoint)
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return { place: { kind: 's3', endpoint, bucket }, drop: async () => {} }
}

/** Cloudflare's R2, as its own simulator has it, behind so much of S3 as a counter uses. */
export async function r2Place(): Promise<OwnPlace> {
  const miniflare = new Miniflare({ modules: true, script: faceOfR2, r2Buckets: ['BUCKET'], port: 0 })
  const endpoint = (await miniflare.ready).origin
  return { place: { kind: 's3', endpoint, bucket: BUCKET }, drop: () => miniflare.dispose() }
}

const faceOfR2 = `
const failure = (status, code) => new Response('<Error><Code>' + code + '</Code></Error>', { status })
export default {
  async fetch(request, { BUCKET }) {
    const key = decodeURIComponent(new URL(request.url).pathname)
    if (request.method === 'GET') {
      const object = await BUCKET.get(key)
      return object ? new Response(object.body, { headers: { etag: object.httpEtag } }) : failure(404, 'NoSuchKey')
    }
    if (request.method === 'DELETE') {
      await BUCKET.delete(key)
      return new Response(null, { status: 204 })
    }
    const onlyIf = new Headers()
    for (const name of ['if-match', 'if-none-match']) {
      const value = request.headers.get(name)
      if (value !== null) onlyIf.set(name, value)
    }
    const object = await BUCKET.put(key, await request.arrayBuffer(), { onlyIf })
    if (!object) return failure(412, 'PreconditionFailed')
    return new Response(null, { headers: { etag: object.httpEtag } })
  },
}`

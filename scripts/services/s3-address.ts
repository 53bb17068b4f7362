import type { Addresses } from './ways.ts'

/** The variable with the address of the S3 store. */
export const s3Variable = 'SHARD_TEST_S3_ENDPOINT'

/** The keys of every store that we start, and of a given one whose keys are not told. */
export const s3Keys = { access: 'shard', secret: 'shard-secret' } as const

/** The variables that lead to a store on a port of this machine. */
export function s3Addresses(port: number): Addresses {
  return {
    [s3Variable]: `http://127.0.0.1:${port}`,
    SHARD_TEST_S3_ACCESS_KEY: s3Keys.access,
    SHARD_TEST_S3_SECRET_KEY: s3Keys.secret,
  }
}

/** Rejects if there is no store. Any answer below 500 will do: a store refuses a request without a signature. */
export async function probeS3(addresses: Addresses): Promise<void> {
  const { status } = await fetch(addresses[s3Variable] ?? '', { signal: AbortSignal.timeout(3_000) })
  if (status >= 500) throw new Error(`status ${status}`)
}

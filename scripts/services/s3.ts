import { cephPackages, cephWays } from './ceph.ts'
import { dockerWay } from './docker.ts'
import type { Host } from './host.ts'
import { probeS3, s3Addresses, s3Keys, s3Variable } from './s3-address.ts'
import type { Service } from './ways.ts'

/** An S3-compatible store that honours conditional PUT: Ceph's gateway, or MinIO in Docker. */
export function s3(host: Host): Service {
  const shape = { service: 'minio', variable: 'SHARD_MINIO_PORT' } as const
  return {
    name: 's3',
    title: 'an S3 store',
    variable: s3Variable,
    how: `install ${cephPackages.join(', ')}, or start Docker, or set ${s3Variable}`,
    given: (env) => ({
      [s3Variable]: env[s3Variable] ?? '',
      SHARD_TEST_S3_ACCESS_KEY: env.SHARD_TEST_S3_ACCESS_KEY ?? s3Keys.access,
      SHARD_TEST_S3_SECRET_KEY: env.SHARD_TEST_S3_SECRET_KEY ?? s3Keys.secret,
    }),
    probe: probeS3,
    ways: [...cephWays(host), dockerWay(host, { ...shape, toAddresses: s3Addresses, probe: probeS3 })],
  }
}

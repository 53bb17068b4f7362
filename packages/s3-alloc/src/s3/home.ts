/** What is used of the settings of an `S3Client`. */
interface ClientConfig {
  readonly region?: (() => Promise<string>) | undefined
  readonly endpoint?: (() => Promise<Endpoint>) | undefined
}

interface Endpoint {
  readonly hostname: string
  readonly port?: number | undefined
  readonly path?: string | undefined
}

/** Where a client's bucket is: `host:port/bucket`, or on AWS, whose names are unique, `aws:region/bucket`. */
export async function homeOf(config: unknown, bucket: string): Promise<string | null> {
  const { region, endpoint } = (config ?? {}) as ClientConfig
  if (typeof endpoint === 'function') {
    const { hostname, port, path = '/' } = await endpoint()
    return `${hostname}${port === undefined ? '' : `:${port}`}${path.replace(/\/$/, '')}/${bucket}`
  }
  return typeof region === 'function' ? `aws:${await region()}/${bucket}` : null
}

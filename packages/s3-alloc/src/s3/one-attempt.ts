import { type BodyText, readBody } from './read-body.ts'

/** What came back for a command, as it came. */
export interface RawAnswer {
  /** 0 if no answer came. */
  status: number
  headers: Readonly<Record<string, string | undefined>>
  /** Of a command whose answer should be empty. */
  body: BodyText | null
}

/** What is used of a command of the SDK and of its stack of middleware. */
export interface SdkCommand {
  readonly middlewareStack: {
    add(middleware: unknown, options: object): void
    addRelativeTo(middleware: unknown, options: object): void
  }
}

type Next = (args: never) => Promise<{ response?: unknown; output?: unknown }>
type Middleware = (next: Next) => Next

interface HttpMessage {
  statusCode: number
  headers: Record<string, string>
  body: unknown
}

/**
 * Makes a command go out once: its errors pass the SDK's retries by. A resent conditional PUT that had been
 * applied the first time would come back as refused. Checksum headers, which some stores refuse, are left out.
 * The answer is also kept as it came, since the SDK hides much of it.
 */
export function inOneAttempt(command: SdkCommand, hasRetries: boolean, isPut: boolean): RawAnswer {
  const answer: RawAnswer = { status: 0, headers: {}, body: null }
  const failure: { error: unknown } = { error: null }
  const stack = command.middlewareStack
  stack.add(withoutChecksums, { step: 'build', priority: 'low', name: 'shardPlainHeaders' })
  stack.add(keeping(answer, isPut), { step: 'deserialize', priority: 'low', name: 'shardKeepAnswer' })
  const hide: Middleware = (next) => async (args) => {
    try {
      return await next(args)
    } catch (error) {
      failure.error = error
      return { response: undefined, output: { $metadata: {} } }
    }
  }
  // Outside of the signer, which sets the clock right when the store finds it wrong.
  if (hasRetries)
    stack.addRelativeTo(hide, { relation: 'after', toMiddleware: 'retryMiddleware', name: 'shardNoRetry' })
  else stack.add(hide, { step: 'finalizeRequest', priority: 'high', name: 'shardNoRetry' })
  const show: Middleware = (next) => async (args) => {
    const result = await next(args)
    if (failure.error !== null) throw failure.error
    return result
  }
  stack.add(show, { step: 'initialize', priority: 'high', name: 'shardShowError' })
  return answer
}

const withoutChecksums: Middleware = (next) => async (args) => {
  const { headers } = (args as { request: { headers: Record<string, string> } }).request
  for (const name of Object.keys(headers))
    if (/^x-amz-(checksum-|sdk-checksum-)/i.test(name)) delete headers[name]
  return next(args)
}

function keeping(answer: RawAnswer, isPut: boolean): Middleware {
  return (next) => async (args) => {
    const result = await next(args)
    const response = result.response as HttpMessage
    if (isPut && response.statusCode < 300) {
      answer.body = await readBody(response.body)
      response.body = new Uint8Array(0)
    }
    answer.status = response.statusCode
    answer.headers = response.headers
    return result
  }
}

import { type Failure, failure, isFailure } from '@lathe/domain'
import { type Outbound, type RequestAnswer, type RequestOptions, TransferFailed } from '@lathe/outbound'
import { type Access, type AskedAccess, readAccess } from './access.ts'
import { judgeError } from './answer.ts'
import { createTokens } from './token.ts'

export interface ObjstoreBParts {
  readonly outbound: Pick<Outbound, 'request'>
  /** Base URL of the service. */
  readonly endpoint: string
  readonly tokenUrl: string
}

/** A bucket, opened with one account. */
export interface Bucket {
  /** Base URL of the service. */
  readonly endpoint: string
  /** The bucket's path in the JSON API. */
  readonly path: string
  /** Sends a request with a token. Throws TransferFailed for a response with an unexpected status. */
  ask(url: string, options: AskOptions): Promise<RequestAnswer>
}

export interface AskOptions extends Omit<RequestOptions, 'maxSize'> {
  /** The statuses that are not an error. */
  readonly expect: readonly number[]
  /** The most bytes of the response body. Default: enough for the metadata of an object. */
  readonly maxSize?: number
}

type Right = 'read_only' | 'read_write'

const smallAnswer = 64 * 1024

/** Opens a payload's bucket. Sends nothing yet. */
export function openBucket(
  payload: AskedAccess,
  right: Right,
  { outbound, endpoint, tokenUrl }: ObjstoreBParts,
): Bucket | Failure {
  const access = readAccess(payload)
  if (isFailure(access)) return access
  const scope = `https://www.googleapis.com/auth/devstorage.${right}`
  const tokens = createTokens({ outbound, tokenUrl, access, scope })

  async function askOnce(url: string, options: AskOptions): Promise<{ token: string; answer: RequestAnswer }> {
    const { expect: _, headers, ...init } = options
    const token = await tokens.get(options.signal)
    const authorization = `Bearer ${token}`
    const answer = await outbound.request(url, {
      maxSize: smallAnswer,
      ...init,
      headers: { ...headers, authorization },
    })
    if (isFailure(answer)) throw new TransferFailed(answer)
    return { token, answer }
  }

  return {
    endpoint,
    path: bucketPath(access),
    async ask(url, options) {
      let { token, answer } = await askOnce(url, options)
      // A token may have expired early.
      if (answer.status === 401) {
        answer.body.destroy()
        tokens.drop(token)
        if (isStream(options.body)) throw cannotRepeat()
        ;({ token, answer } = await askOnce(url, options))
      }
      if (options.expect.includes(answer.status)) return answer
      throw new TransferFailed(await judgeError(answer))
    },
  }
}

function bucketPath({ bucket }: Access): string {
  return `/storage/v1/b/${encodeURIComponent(bucket)}/o`
}

// A stream cannot be sent twice: its sender resumes where it was, with a new token.
function cannotRepeat(): TransferFailed {
  return new TransferFailed(failure('source_unreachable', { detail: 'the token has ended' }))
}

function isStream(body: AskOptions['body']): boolean {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import { SignatureV4 } from '@smithy/signature-v4'
import type { S3Config } from '../config.ts'
import { Sha256 } from './sha256.ts'
import type { Sockets } from './sockets.ts'

/** A response of the store, with any status. */
export interface S3Answer {
  readonly status: number
  readonly body: Readable
}

/** Bytes in memory, or a function that opens them again for each attempt. */
export type SignedBody = Buffer | (() => Readable)

export interface SignedRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: SignedBody
  /** The length of the body, in bytes. */
  readonly length?: number
  /** The hash of the body, in hex. It is part of the signature, and the store refuses any other body. */
  readonly sha256?: string
  readonly signal?: AbortSignal
}

/** Sends single requests about one object, and retries while the store is busy. */
export type SignedRequests = (request: SignedRequest) => Promise<S3Answer>

/** The store refused a request, or failed to serve it. */
export class S3Refusal extends Error {
  override readonly name = 'S3Refusal'
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, body: string) {
    const code = /<Code>([^<]{1,64})<\/Code>/.exec(body)?.[1]
    super(`The object store answered ${status}${code ? ` ${code}` : ''}.`)
    this.status = status
    this.code = code
  }
}

const maxAttempts = 3
const firstPauseMs = 50
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** How long the store may take to respond: a fixed time, plus the time for the body over a slow connection. */
function patienceMs(length: number): number {
  return 8_000 + length / 256
}

/**
 * The SDK's signer and HTTP handler without its middleware: a put or get of 40 kB took 1.0 ms of CPU time instead of
 * 2.1 to 2.7 ms, and a task makes several requests.
 */
export function createSignedRequests(config: S3Config, { handler, closeIdle }: Sockets): SignedRequests {
  const { protocol, hostname, port, host } = new URL(config.endpoint)
  const signer = new SignatureV4({
    service: 's3',
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
  })
  const attempt = async ({ method, key, headers, body, length = 0, sha256 = emptySha256, signal }: SignedRequest) => {
    const signed = await signer.sign({
      ...{ method, protocol, hostname, query: {} },
      ...(port ? { port: Number(port) } : {}),
      // `parseKey` accepts only plain keys: they need no escaping.
      path: `/${config.bucket}/${key}`,
      headers: {
        ...{ host, 'x-amz-content-sha256': sha256 },
        ...(method === 'PUT' && { 'content-length': String(length) }),
        ...headers,
      },
    })
    const sent = typeof body === 'function' ? readBody(body(), signal) : { body, signal }
    const request = { ...signed, body: sent.body } as Parameters<NodeHttpHandler['handle']>[0]
    const requestTimeout = patienceMs(length)
    const { response } = await handler
      .handle(request, { requestTimeout, ...(sent.signal && { abortSignal: sent.signal }) })
      .catch((error) => {
        // Lost silently, as when a host dies: other idle sockets may be dead too.
        if (error?.name === 'TimeoutError') closeIdle()
        throw sent.signal?.aborted ? sent.signal.reason : error
      })
    return { status: response.statusCode, body: response.body as Readable }
  }
  return (request) => repeat(() => attempt(request), request.signal)
}

/** Reads the response to its end, which frees its connection. Throws unless the request succeeded. */
export async function expectSuccess({ status, body }: S3Answer): Promise<string> {
  const content = await text(body)
  // A copy that fails halfway has already responded with 200: the error is in the body.
  if (status >= 300 || content.includes('<Error>')) throw new S3Refusal(status, content)
  return content
}

async function repeat(attempt: () => Promise<S3Answer>, signal: AbortSignal | undefined): Promise<S3Answer> {
  for (let n = 1; ; n++) {
    try {
      const answer = await attempt()
      if (n === maxAttempts || !isBusy(answer.status)) return answer
      answer.body.destroy()
    } catch (error) {
      if (n === maxAttempts || signal?.aborted) throw error
    }
    // Randomized, so that callers that were refused together do not retry together.
    await pause(firstPauseMs * 4 ** (n - 1) * (0.5 + Math.random()), undefined, signal ? { signal } : {})
  }
}

function isBusy(status: number): boolean {
  return status >= 500 || status === 429
}

// Otherwise the handler would wait for a body that broke off until the store times out.
function readBody(body: Readable, signal: AbortSignal | undefined): { body: Readable; signal: AbortSignal } {
  const broken = new AbortController()
  body.once('error', (error) => broken.abort(error))
  return { body, signal: signal ? AbortSignal.any([signal, broken.signal]) : broken.signal }
}

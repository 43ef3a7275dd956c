import { S3Client } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { S3Config } from '../config.ts'
import { createSignedRequests, type SignedRequests } from './signed-requests.ts'

/** The ways to one bucket: the SDK's client, and short requests of our own for the hot path. */
export interface S3Connection extends Disposable {
  readonly bucket: string
  readonly client: S3Client
  readonly requests: SignedRequests
}

// More than any process has transfers at once; further requests queue in the agent.
const agent = { keepAlive: true, maxSockets: 128 }

/** Prepares a connection pool to a bucket; nothing is sent yet. */
export function openConnection(config: S3Config): S3Connection {
  const requestHandler = new NodeHttpHandler({
    connectionTimeout: 3_000,
    // Until the answer's headers. How long a body may take is its reader's business; `limitSilence` watches the store.
    requestTimeout: 60_000,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  })
  const client = new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    forcePathStyle: true,
    // Given here, so that the SDK never goes looking in files, the environment or the network.
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    maxAttempts: 3,
    // Bodies are signed by their SHA-256; the newer check sums are unknown to older stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler,
  })
  const requests = createSignedRequests(config, requestHandler)
  return { bucket: config.bucket, client, requests, [Symbol.dispose]: () => client.destroy() }
}

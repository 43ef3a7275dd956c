import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { createSignedRequests, type SignedRequests } from './signed-requests.ts'
import { openSockets } from './sockets.ts'

/** The ways to one bucket: the SDK's client, and short requests of our own for the hot path. */
export interface S3Connection extends Disposable {
  readonly bucket: string
  readonly client: S3Client
  readonly requests: SignedRequests
  /** The same over sockets of their own, for bodies that are read at a client's pace. */
  readonly clientRequests: SignedRequests
}

// More than any process has transfers of its own at once; further requests queue in the agent.
const ownSockets = 128
// As many as an api may have downloads at once (DOWNLOADS_AT_ONCE).
const clientSockets = 1000

/** Prepares connection pools to a bucket; nothing is sent yet. */
export function openConnection(config: S3Config): S3Connection {
  const own = openSockets(ownSockets)
  const forClients = openSockets(clientSockets)
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
    requestHandler: own.handler,
  })
  return {
    bucket: config.bucket,
    client,
    requests: createSignedRequests(config, own),
    clientRequests: createSignedRequests(config, forClients),
    [Symbol.dispose]() {
      client.destroy()
      forClients.handler.destroy()
    },
  }
}

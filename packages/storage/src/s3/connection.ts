import { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../config.ts'
import { createSignedRequests, type SignedRequests } from './signed-requests.ts'
import { openSockets } from './sockets.ts'

/** Access to one bucket: the SDK's client, and our own lighter requests for the hot path. */
export interface S3Connection extends Disposable {
  readonly bucket: string
  readonly client: S3Client
  readonly requests: SignedRequests
  /** The same over separate sockets, for bodies that are read at a client's pace. */
  readonly clientRequests: SignedRequests
}

// More transfers than any process runs at once. Further requests queue in the agent.
const ownSockets = 128
// As many as the concurrent downloads of an API process (DOWNLOADS_AT_ONCE).
const clientSockets = 1000

/** Prepares connection pools to a bucket. Sends nothing yet. */
export function openConnection(config: S3Config): S3Connection {
  const own = openSockets(ownSockets)
  const forClients = openSockets(clientSockets)
  const client = new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    forcePathStyle: true,
    // Set here, so that the SDK never searches files, the environment or the network.
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    maxAttempts: 3,
    // Bodies are signed with their SHA-256. Older stores do not know the newer checksums.
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

import type { S3Client } from '@aws-sdk/client-s3'
import { type Failure, isFailure } from '@lathe/domain'
import { type Outbound, TransferFailed } from '@lathe/outbound'
import { type AskedAccess, readAccess } from './access.ts'
import { createClient } from './client.ts'
import { toFailure } from './to-failure.ts'

/** One bucket of the owner, for one task. */
export interface Bucket extends Disposable {
  readonly name: string
  /** Runs one request of the client. Its errors become TransferFailed. */
  ask<T>(request: (client: S3Client) => Promise<T>): Promise<T>
  toBreak(error: unknown): TransferFailed
}

/** Prepares access to a bucket. Sends nothing yet. */
export function openBucket(payload: AskedAccess, outbound: Outbound): Bucket | Failure {
  const access = readAccess(payload, outbound)
  if (isFailure(access)) return access
  // Not the task's signal: each request passes that one, and cleanup of an upload runs after it was aborted.
  const closing = new AbortController()
  const agents = outbound.openAgents(closing.signal)
  const client = createClient(access, agents)
  const toBreak = (error: unknown) => (error instanceof TransferFailed ? error : new TransferFailed(toFailure(error)))
  return {
    name: access.bucket,
    toBreak,
    async ask(request) {
      try {
        return await request(client)
      } catch (error) {
        throw toBreak(error)
      }
    },
    [Symbol.dispose]: () => {
      closing.abort()
      client.destroy()
      agents[Symbol.dispose]()
    },
  }
}

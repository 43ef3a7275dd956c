import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBlobServer, startBucketServer, startStack } from '@lathe/testing'
import type { TestProject } from 'vitest/node'
import { startKeyDesk } from './key-desk.ts'

/** What scenarios know about the stack: URLs, and process ids to watch. */
export interface ProvidedStack {
  readonly url: string
  /** The URL of the api's metrics. */
  readonly metricsUrl: string
  readonly keyDeskUrl: string
  readonly recordFile: string
  readonly apiPid: number
  readonly workerPid: number
  /** A bucket for objstore_b and its credentials. */
  readonly bucket: { readonly bucket: string; readonly client_email: string; readonly private_key: string }
  /** A container for blobstore and its key. */
  readonly blobs: { readonly container: string; readonly storage_account: string; readonly storage_access_key: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: ProvidedStack
  }
}

/** Starts one stack for all scenarios; the returned function is called when the last one has ended. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lathe-e2e-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const buckets = parts.use(await startBucketServer())
  const blobs = parts.use(await startBlobServer())
  const env = {
    OBJSTORE_B_ENDPOINT: buckets.endpoint,
    OBJSTORE_B_TOKEN_URL: buckets.tokenUrl,
    BLOBSTORE_ENDPOINT: blobs.endpoint,
  }
  const stack = parts.use(await startStack({ env }))
  const keyDesk = parts.use(await startKeyDesk(stack))
  project.provide('stack', {
    url: stack.url,
    metricsUrl: stack.apps('api')[0]?.metricsUrl ?? '',
    keyDeskUrl: keyDesk.url,
    recordFile: join(folder, 'exercised'),
    apiPid: stack.apps('api')[0]?.pid ?? -1,
    workerPid: stack.apps('worker')[0]?.pid ?? -1,
    bucket: {
      bucket: buckets.bucket,
      client_email: buckets.account.clientEmail,
      private_key: buckets.account.privateKey,
    },
    blobs: { container: blobs.container, storage_account: blobs.account, storage_access_key: blobs.accessKey },
  })
  const all = parts.move()
  return () => all.disposeAsync()
}

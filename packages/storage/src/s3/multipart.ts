import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
} from '@aws-sdk/client-s3'
import { cleanUpSignal } from '@lathe/runtime'
import type { S3Connection } from './connection.ts'
import { withGrace } from './with-grace.ts'

/** The data that the request of a part needs. */
export interface PartRequest {
  readonly target: {
    readonly Bucket: string
    readonly Key: string
    readonly UploadId: string | undefined
    readonly PartNumber: number
  }
  readonly abortSignal: AbortSignal
}

/** An upload whose parts become one object together, or not at all. */
export interface Multipart {
  /** Starts a part, whose sender returns its ETag. Waits while enough parts are in flight. */
  add(send: (request: PartRequest) => Promise<string | undefined>): Promise<void>
}

interface MultipartOptions {
  readonly key: string
  readonly signal: AbortSignal
  /** Aborted with the cause as soon as a part fails. */
  readonly broken: AbortController
}

const partsInFlight = 2

/** Runs a multipart upload: completes it if `work` succeeds, and removes its parts if not. */
export async function withMultipart(
  { client, bucket }: S3Connection,
  { key, signal, broken }: MultipartOptions,
  work: (upload: Multipart) => Promise<void>,
): Promise<void> {
  const abortSignal = AbortSignal.any([signal, broken.signal])
  const object = { Bucket: bucket, Key: key }
  // Not aborted at once: an upload that was created without our receiving its ID could not be removed.
  const create = new CreateMultipartUploadCommand(object)
  const { UploadId } = await withGrace(signal, (late) => client.send(create, { abortSignal: late }))
  const upload = { ...object, UploadId }
  const sender = createSender(upload, abortSignal, broken)
  try {
    await work(sender)
    const Parts = await sender.finish()
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
    await withGrace(signal, (late) => client.send(complete, { abortSignal: late }))
  } catch (error) {
    broken.abort(error)
    await sender.settle()
    const abort = new AbortMultipartUploadCommand(upload)
    // The first error is the one to report. Remaining parts are deleted when their prefix expires.
    await client.send(abort, { abortSignal: cleanUpSignal() }).catch(() => {})
    throw error
  }
}

type Upload = Omit<PartRequest['target'], 'PartNumber'>

function createSender(upload: Upload, abortSignal: AbortSignal, broken: AbortController) {
  const inFlight = new Set<Promise<void>>()
  const done: CompletedPart[] = []
  let count = 0
  const settle = async () => void (await Promise.all(inFlight))
  return {
    settle,
    async add(send: (request: PartRequest) => Promise<string | undefined>): Promise<void> {
      while (inFlight.size >= partsInFlight) await Promise.race(inFlight)
      abortSignal.throwIfAborted()
      const PartNumber = ++count
      const sending = send({ target: { ...upload, PartNumber }, abortSignal })
        .then(
          (ETag) => void done.push({ PartNumber, ETag }),
          (error) => broken.abort(error),
        )
        .finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    },
    async finish(): Promise<CompletedPart[]> {
      await settle()
      abortSignal.throwIfAborted()
      return done.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0))
    },
  }
}

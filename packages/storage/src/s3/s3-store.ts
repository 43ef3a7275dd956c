import { addAbortSignal, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { checkStore } from '../check-store.ts'
import type { S3Config } from '../config.ts'
import { parseKey, parsePrefix } from '../object-key.ts'
import type { ObjectStore, OpenOptions } from '../object-store.ts'
import { openConnection, type S3Connection } from './connection.ts'
import { copyObject } from './copy-object.ts'
import { abortUploads, deleteObjects, deleteUnder } from './delete-objects.ts'
import { limitSilence } from './limit-silence.ts'
import { listObjects } from './list-objects.ts'
import { putFile } from './put-file.ts'
import { putObject } from './put-object.ts'
import { S3Refusal } from './signed-requests.ts'

export interface S3StoreOptions {
  /** Objects larger than this are copied in parts of this size. */
  readonly copyPartSize?: number
  /** How long the store may send nothing in the middle of a body. */
  readonly silenceMs?: number
}

const usualSilenceMs = 30_000

/** A store in a bucket of any S3-compatible service. */
export function createS3Store(
  config: S3Config,
  { copyPartSize, silenceMs = usualSilenceMs }: S3StoreOptions = {},
): ObjectStore & AsyncDisposable {
  const connection = openConnection(config)
  const store: Omit<ObjectStore, 'check'> = {
    put: async (key, source, options) => putObject(connection, parseKey(key), source, options),
    putFile: async (key, file, options) => putFile(connection, parseKey(key), file, options),
    open: async (key, options) => openObject(connection, parseKey(key), { ...options, silenceMs }),
    copy: async (from, to, options) => {
      const partSize = copyPartSize === undefined ? {} : { partSize: copyPartSize }
      return copyObject(connection, { from: parseKey(from), to: parseKey(to), ...partSize }, options)
    },
    delete: async (keys) => deleteObjects(connection, keys.map(parseKey)),
    deletePrefix: async (prefix) => deleteUnder(connection, parsePrefix(prefix)),
    removeUnfinished: async (isOver) => abortUploads(connection, isOver),
    list: (prefix) => listObjects(connection, parsePrefix(prefix)),
    listPrefixes: async () => listFirstSegments(connection),
  }
  return {
    ...store,
    check: (signal) => checkStore(store, signal),
    [Symbol.asyncDispose]: async () => connection[Symbol.dispose](),
  }
}

async function openObject(
  { requests, clientRequests }: S3Connection,
  key: string,
  { signal, range, forClient, silenceMs }: OpenOptions & { readonly silenceMs: number },
): Promise<Readable | undefined> {
  signal.throwIfAborted()
  const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
  const send = forClient ? clientRequests : requests
  const { status, body } = await send({ method: 'GET', key, headers, signal })
  if (status < 300) return limitSilence(addAbortSignal(signal, body), silenceMs)
  const refusal = new S3Refusal(status, await text(body))
  if (status === 404) return undefined
  throw status === 416 ? new RangeError('The range starts past the object.', { cause: refusal }) : refusal
}

async function listFirstSegments({ client, bucket }: S3Connection): Promise<readonly string[]> {
  const found: string[] = []
  let token: string | undefined
  do {
    const next = token === undefined ? {} : { ContinuationToken: token }
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Delimiter: '/', ...next }))
    for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix) found.push(Prefix.slice(0, -1))
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
  return found.sort()
}

import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { testServices } from '../services.ts'

/** Where the files of a stack rest, as its processes are told. */
export interface FilePlace extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

export interface FilePlaceOptions {
  readonly kind: 's3' | 'disk'
  readonly folder: string
  /** Another gateway than the shared one. */
  readonly s3Endpoint?: string | undefined
}

/** Makes a bucket of the stack's own, or a folder. */
export function makeFilePlace({ kind, folder, s3Endpoint }: FilePlaceOptions): Promise<FilePlace> {
  return kind === 's3' ? makeBucket(s3Endpoint) : makeFolder(join(folder, 'files'))
}

async function makeBucket(endpoint: string | undefined): Promise<FilePlace> {
  // Loaded only here: the S3 client is large, and most tests that use this package start no stack.
  const { prepareBucket, removeBucket } = await import('@lathe/storage')
  const { s3 } = testServices()
  const own = endpoint === undefined ? {} : { endpoint }
  const config = { kind: 's3' as const, ...s3, ...own, bucket: `stack-${randomBytes(6).toString('hex')}` }
  await prepareBucket(config)
  return {
    env: {
      STORAGE_KIND: 's3',
      S3_ENDPOINT: config.endpoint,
      S3_REGION: config.region,
      S3_BUCKET: config.bucket,
      S3_ACCESS_KEY_ID: config.accessKeyId,
      S3_SECRET_ACCESS_KEY: config.secretAccessKey,
    },
    [Symbol.asyncDispose]: () => removeBucket(config),
  }
}

async function makeFolder(folder: string): Promise<FilePlace> {
  await mkdir(folder)
  // The stack removes its folder as a whole.
  return { env: { STORAGE_KIND: 'disk', STORAGE_DIR: folder }, [Symbol.asyncDispose]: async () => {} }
}

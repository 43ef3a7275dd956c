import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { testServices } from '../services.ts'

/** The file storage of a stack, as settings for its processes. */
export interface FilePlace extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

export interface FilePlaceOptions {
  readonly kind: 's3' | 'disk'
  readonly folder: string
  /** A gateway other than the shared one. */
  readonly s3Endpoint?: string | undefined
}

/** Makes a separate bucket or folder for the stack. */
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

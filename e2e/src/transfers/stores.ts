import { randomBytes } from 'node:crypto'
import { prepareBucket, removeBucket } from '@lathe/storage'
import { startBlobServer, startBucketServer, startSshd, testServices } from '@lathe/testing'

type Body = Readonly<Record<string, unknown>>

/** A real server of one kind, and how a task refers to a file in it. */
export interface Store extends AsyncDisposable {
  readonly name: StoreName
  /** The settings that the service needs to reach it. */
  readonly env: Readonly<Record<string, string>>
  /** The fields of an import from a path, or of an export to it. */
  at(path: string): Body
}

export type StoreName = keyof typeof openers

const openers = { objstore_a: openBucket, objstore_b: openOtherBucket, blobstore: openContainer, sftp: openFolder }

export const storeNames = Object.keys(openers) as readonly StoreName[]

export function openStore(name: StoreName): Promise<Store> {
  return openers[name]()
}

async function openBucket(): Promise<Store> {
  const { s3 } = testServices()
  const config = { kind: 's3' as const, ...s3, bucket: `transfers-${randomBytes(6).toString('hex')}` }
  await prepareBucket(config)
  const { bucket, region, endpoint, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = config
  return {
    name: 'objstore_a',
    env: {},
    at: (key) => ({ bucket, region, endpoint, access_key_id, secret_access_key, key }),
    [Symbol.asyncDispose]: () => removeBucket(config),
  }
}

async function openOtherBucket(): Promise<Store> {
  const server = await startBucketServer()
  const { clientEmail: client_email, privateKey: private_key } = server.account
  return {
    name: 'objstore_b',
    env: { OBJSTORE_B_ENDPOINT: server.endpoint, OBJSTORE_B_TOKEN_URL: server.tokenUrl },
    at: (file) => ({ project_id: 'project', bucket: server.bucket, client_email, private_key, file }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openContainer(): Promise<Store> {
  const server = await startBlobServer()
  const { container, account: storage_account, accessKey: storage_access_key } = server
  return {
    name: 'blobstore',
    env: { BLOBSTORE_ENDPOINT: server.endpoint },
    at: (blob) => ({ container, storage_account, storage_access_key, blob }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openFolder(): Promise<Store> {
  const server = await startSshd()
  const { port, username, privateKey: private_key } = server
  return {
    name: 'sftp',
    env: {},
    at: (file_string) => ({ host: '127.0.0.1', port, username, private_key, file_string }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

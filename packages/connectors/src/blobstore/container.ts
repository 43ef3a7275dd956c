import {
  AnonymousCredential,
  type BlockBlobClient,
  ContainerClient,
  newPipeline,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { type Failure, isFailure } from '@lathe/domain'
import { type Agents, type Outbound, TransferFailed } from '@lathe/outbound'
import { type AskedAccess, type ContainerAccess, readAccess } from './access.ts'
import { toFailure } from './to-failure.ts'

export interface BlobstoreParts {
  readonly outbound: Outbound
  /** URL of the accounts, with `{account}` in it. */
  readonly endpoint: string
}

/** Requests for one blob. Their errors become TransferFailed. */
export interface Blob {
  ask<T>(request: (client: BlockBlobClient) => Promise<T>): Promise<T>
  toBreak(error: unknown): TransferFailed
}

/** One container of the owner, for one task. */
export interface Container extends Disposable {
  blob(name: string): Blob
}

/** Prepares access to a container. Sends nothing yet. */
export function openContainer(payload: AskedAccess, { outbound, endpoint }: BlobstoreParts): Container | Failure {
  const access = readAccess(payload, endpoint, outbound)
  if (isFailure(access)) return access
  const closing = new AbortController()
  const agents = outbound.openAgents(closing.signal)
  const client = createClient(access, agents)
  return {
    blob: (name) => openBlob(client.getBlockBlobClient(name)),
    [Symbol.dispose]: () => {
      closing.abort()
      agents[Symbol.dispose]()
    },
  }
}

/** A client of the container that reaches only the given host. */
function createClient({ account, url, accessKey }: ContainerAccess, agents: Agents): ContainerClient {
  const credential =
    accessKey === undefined ? new AnonymousCredential() : new StorageSharedKeyCredential(account, accessKey)
  // The pipeline accepts an agent and a limit of redirects although its type does not declare them. With an agent it
  // ignores the proxy variables of the environment.
  const options = {
    agent: url.startsWith('https:') ? agents.https : agents.http,
    redirectOptions: { maxRetries: 0 },
    // Callers decide what is retried.
    retryOptions: { maxTries: 1 },
    userAgentOptions: { userAgentPrefix: 'lathe' },
  }
  return new ContainerClient(url, newPipeline(credential, options))
}

function openBlob(client: BlockBlobClient): Blob {
  const toBreak = (error: unknown) => (error instanceof TransferFailed ? error : new TransferFailed(toFailure(error)))
  return {
    toBreak,
    async ask(request) {
      try {
        return await request(client)
      } catch (error) {
        throw toBreak(error)
      }
    },
  }
}

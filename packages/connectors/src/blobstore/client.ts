import { AnonymousCredential, ContainerClient, newPipeline, StorageSharedKeyCredential } from '@azure/storage-blob'
import type { Agents } from '@lathe/outbound'
import type { ContainerAccess } from './access.ts'

/** A client of the container that reaches only the given host. */
export function createClient({ account, url, accessKey }: ContainerAccess, agents: Agents): ContainerClient {
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

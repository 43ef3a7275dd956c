import { AnonymousCredential, ContainerClient, newPipeline, StorageSharedKeyCredential } from '@azure/storage-blob'
import type { Agents } from '@lathe/outbound'
import type { ContainerAccess } from './access.ts'

/** A client of the container, which reaches no other host than the given one. */
export function createClient({ account, url, accessKey }: ContainerAccess, agents: Agents): ContainerClient {
  const credential =
    accessKey === undefined ? new AnonymousCredential() : new StorageSharedKeyCredential(account, accessKey)
  // The pipeline takes an agent and a limit of redirects although its type does not say so. With an agent given it
  // leaves aside the proxies that the environment names.
  const options = {
    agent: url.startsWith('https:') ? agents.https : agents.http,
    redirectOptions: { maxRetries: 0 },
    // Whoever asks decides what is asked again.
    retryOptions: { maxTries: 1 },
    userAgentOptions: { userAgentPrefix: 'lathe' },
  }
  return new ContainerClient(url, newPipeline(credential, options))
}

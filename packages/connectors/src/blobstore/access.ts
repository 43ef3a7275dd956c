import { type Failure, failure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import type { Asked } from '../connector.ts'

/** The request fields with the container and its credentials. */
export type AskedAccess = Pick<
  Asked<'import/blobstore'>,
  'storage_account' | 'container' | 'sas_token' | 'storage_access_key'
>

/** How to reach a container. Contains secrets: it is created at the last moment and never shown. */
export interface ContainerAccess {
  readonly account: string
  /** URL of the container. With a shared access signature, the URL includes the credentials. */
  readonly url: string
  /** Signs the requests if there is no shared access signature. */
  readonly accessKey?: string
}

// The account becomes part of a hostname: it must not contain characters that could end the name and begin another.
const accountForm = /^[a-z0-9]{3,24}$/
const containerForm = /^(?:\$root|\$web|[a-z0-9][a-z0-9-]{1,61}[a-z0-9])$/

/** Reads the access from a payload, or returns what is wrong with it. */
export function readAccess(
  { storage_account: account, container, ...secrets }: AskedAccess,
  endpoint: string,
  outbound: Pick<Outbound, 'judge'>,
): ContainerAccess | Failure {
  if (!accountForm.test(account)) {
    return failure('url_forbidden', { text: 'The storage account must be 3 to 24 small letters and digits.' })
  }
  if (!containerForm.test(container)) {
    return failure('source_not_found', { text: 'There is no container of such a name.' })
  }
  const base = endpoint.replaceAll('{account}', account)
  const refused = outbound.judge(base)
  if (refused) return refused
  const url = new URL(`${base.replace(/\/$/, '')}/${container}`)
  const token = revealText(secrets.sas_token)
  if (token === undefined) return { account, url: url.href, accessKey: revealText(secrets.storage_access_key) ?? '' }
  // Set as a query: whatever the token contains, it cannot change the host or the path.
  url.search = token.replace(/^\?/, '')
  return { account, url: url.href }
}

import { type Failure, failure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import type { Asked } from '../connector.ts'

/** The fields of a request that say which container, and with what right. */
export type AskedAccess = Pick<
  Asked<'import/blobstore'>,
  'storage_account' | 'container' | 'sas_token' | 'storage_access_key'
>

/** How to reach a container. Holds secrets: it is made at the last moment and never shown. */
export interface ContainerAccess {
  readonly account: string
  /** Address of the container; with a shared-access token it is the address that opens it. */
  readonly url: string
  /** Signs the requests where there is no token. */
  readonly accessKey?: string
}

// The account becomes part of a host name: nothing in it may end the name and begin another.
const accountForm = /^[a-z0-9]{3,24}$/
const containerForm = /^(?:\$root|\$web|[a-z0-9][a-z0-9-]{1,61}[a-z0-9])$/

/** Reads the access out of a payload, or says what it cannot be. */
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
  // Set as a query, whatever is in it: it cannot become another host or path.
  url.search = token.replace(/^\?/, '')
  return { account, url: url.href }
}

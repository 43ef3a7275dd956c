import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import type { Asked } from '../connector.ts'

/** The request fields with the bucket and its credentials. */
export type AskedAccess = Pick<
  Asked<'import/objstore_a'>,
  'bucket' | 'region' | 'endpoint' | 'access_key_id' | 'secret_access_key'
>

/** How to reach a bucket. Contains secrets: it is created at the last moment and never shown. */
export interface BucketAccess {
  readonly bucket: string
  readonly region: string
  readonly endpoint: string
  /** True for the owner's own server, which may not support a hostname per bucket. */
  readonly pathStyle: boolean
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

// The region becomes part of a hostname: it must not contain characters that could end the name and begin another.
const regionForm = /^[a-z0-9-]{1,40}$/
// As permissive as S3-compatible servers. No slash and no colon, so it is neither a path nor an ARN.
const bucketForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/

/** Reads the access from a payload, or returns what is wrong with it. */
export function readAccess(payload: AskedAccess, outbound: Pick<Outbound, 'judge'>): BucketAccess | Failure {
  const { bucket, region } = payload
  if (!bucketForm.test(bucket)) return failure('source_not_found', { text: 'There is no bucket of such a name.' })
  if (!regionForm.test(region)) {
    return failure('url_forbidden', {
      text: 'The region must be small letters, digits and hyphens, such as eu-west-1.',
    })
  }
  const custom = revealText(payload.endpoint)
  const endpoint = custom === undefined ? regionEndpoint(region) : cleanEndpoint(custom, outbound)
  if (isFailure(endpoint)) return endpoint
  const credentials = {
    accessKeyId: payload.access_key_id,
    secretAccessKey: revealText(payload.secret_access_key),
  }
  return { bucket, region, endpoint, pathStyle: custom !== undefined, credentials }
}

function regionEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** Keeps only host and path: userinfo, query and fragment do not belong in an endpoint, and might be secrets. */
function cleanEndpoint(given: string, outbound: Pick<Outbound, 'judge'>): string | Failure {
  const refused = outbound.judge(given)
  if (refused) return refused
  const { origin, pathname } = new URL(given)
  return `${origin}${pathname}`
}

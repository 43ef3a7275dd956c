import { S3Client } from '@aws-sdk/client-s3'
import type { Agents } from '@lathe/outbound'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { BucketAccess } from './access.ts'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * A client of the bucket. Sets everything that the library would otherwise look up in the environment, in the user's
 * files or at a metadata address.
 */
export function createClient({ region, endpoint, pathStyle, credentials }: BucketAccess, agents: Agents): S3Client {
  return new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    credentials,
    requestHandler: new NodeHttpHandler({
      httpAgent: agents.http,
      // An agent of node:http that opens TLS itself. The handler needs no more than an agent.
      httpsAgent: agents.https as never,
      // The agents close idle connections.
      socketTimeout: 0,
    }),
    // Callers decide what is retried.
    maxAttempts: 1,
    // Without this, warnings go to the console.
    logger: silent,
    retryMode: 'standard',
    followRegionRedirects: false,
    // Many servers do not support them. The signature covers the digest of a small body, TLS protects the others.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableS3ExpressSessionAuth: true,
    disableMultiregionAccessPoints: true,
    authSchemePreference: ['sigv4'],
    sigv4aSigningRegionSet: [region],
    userAgentAppId: 'lathe',
    defaultsMode: 'standard',
  })
}

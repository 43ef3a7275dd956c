import { S3Client } from '@aws-sdk/client-s3'
import type { Agents } from '@lathe/outbound'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { BucketAccess } from './access.ts'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * A client of the bucket. Every setting that the library would look for in the environment, in files of the machine's
 * user or at a metadata address is given here.
 */
export function createClient({ region, endpoint, pathStyle, credentials }: BucketAccess, agents: Agents): S3Client {
  return new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    credentials,
    requestHandler: new NodeHttpHandler({
      httpAgent: agents.http,
      // It is an agent of node:http that opens its TLS itself; the handler asks for no more than an agent.
      httpsAgent: agents.https as never,
      // The agents end what does not move.
      socketTimeout: 0,
    }),
    // Whoever asks decides what is asked again.
    maxAttempts: 1,
    // Without one of ours, warnings go to the console.
    logger: silent,
    retryMode: 'standard',
    followRegionRedirects: false,
    // Unknown to many servers; the signature holds the digest of a small body, TLS guards the others.
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

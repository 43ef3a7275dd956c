import { S3ServiceException } from '@aws-sdk/client-s3'
import { type Failure, failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { type AnswerCodes, judgeAnswer } from '../judge-answer.ts'

const elsewhere = ['source_refused', 'The bucket is in another region than the one given. Check the region.'] as const
const archived = ['source_refused', 'The file is archived. Restore it in its bucket, then try again.'] as const

const codes: AnswerCodes = {
  InvalidAccessKeyId: 'source_unauthorized',
  SignatureDoesNotMatch: 'source_unauthorized',
  InvalidToken: 'source_unauthorized',
  ExpiredToken: 'source_unauthorized',
  AccessDenied: 'source_forbidden',
  NoSuchBucket: ['source_not_found', 'There is no such bucket. Check its name, the region and the endpoint.'],
  NoSuchKey: 'source_not_found',
  InvalidBucketName: ['source_not_found', 'There is no bucket of such a name.'],
  PermanentRedirect: elsewhere,
  TemporaryRedirect: elsewhere,
  Redirect: elsewhere,
  AuthorizationHeaderMalformed: elsewhere,
  IllegalLocationConstraintException: elsewhere,
  InvalidObjectState: archived,
  // Our clock or theirs is wrong. The client corrects itself by the date of the response, and the request is repeated.
  RequestTimeTooSkewed: 'source_unreachable',
  RequestTimeout: 'source_unreachable',
  // The response to the request that completed the upload was lost: only a new upload shows the result.
  NoSuchUpload: 'source_unreachable',
  KeyTooLongError: ['source_refused', 'The object key is too long.'],
  QuotaExceeded: ['source_refused', 'The quota of the bucket or its owner is used up.'],
}

/** Converts an error of the client. Drops its message, which may quote the request. */
export function toFailure(error: unknown): Failure {
  if (error instanceof TransferFailed) return error.failure
  if (error instanceof S3ServiceException) return judgeService(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return failure('source_unreachable', { detail: code ?? (error instanceof Error ? error.name : 'unknown') })
}

function judgeService({ $metadata, name }: S3ServiceException): Failure {
  const status = $metadata.httpStatusCode ?? 0
  // The response to a redirected request may have no body.
  if (status >= 300 && status < 400) return judgeAnswer(status, 'PermanentRedirect', codes)
  return judgeAnswer(status, name, codes)
}

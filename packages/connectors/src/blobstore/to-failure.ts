import { RestError } from '@azure/storage-blob'
import { type Failure, failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { type AnswerCodes, judgeAnswer } from '../judge-answer.ts'

const archived = ['source_refused', 'The file is archived. Rehydrate it in its container, then try again.'] as const

const codes: AnswerCodes = {
  AuthenticationFailed: 'source_unauthorized',
  InvalidAuthenticationInfo: 'source_unauthorized',
  NoAuthenticationInformation: 'source_unauthorized',
  // Azure reports it for network rules, its emulator for wrong credentials.
  AuthorizationFailure: [
    'source_unauthorized',
    'The credentials are wrong, or rules of the storage account keep this service out.',
  ],
  AuthorizationPermissionMismatch: 'source_forbidden',
  InsufficientAccountPermissions: 'source_forbidden',
  ContainerNotFound: ['source_not_found', 'There is no such container. Check its name and the storage account.'],
  ContainerBeingDeleted: ['source_not_found', 'The container is being deleted.'],
  BlobNotFound: 'source_not_found',
  BlobArchived: archived,
  BlobBeingRehydrated: archived,
  InvalidBlobType: ['source_refused', 'There is a blob of another kind at this name. Give another name.'],
  BlobImmutableDueToPolicy: ['source_forbidden', 'A policy of the container forbids changing this blob.'],
  LeaseIdMissing: ['source_refused', 'The blob is leased by somebody else. Try again when the lease has ended.'],
  ServerBusy: 'source_unreachable',
  OperationTimedOut: 'source_unreachable',
}

/** Converts an error of the client. Drops its message, which may quote the request and with it the token. */
export function toFailure(error: unknown): Failure {
  if (error instanceof TransferFailed) return error.failure
  if (!(error instanceof RestError)) {
    return failure('source_unreachable', { detail: error instanceof Error ? error.name : 'unknown' })
  }
  if (error.statusCode !== undefined) {
    // The header exists even if the response has no body, or the body was not read.
    return judgeAnswer(error.statusCode, error.response?.headers.get('x-ms-error-code') ?? error.code, codes)
  }
  // The client passes on only the code of the error that ended the request.
  if (error.code === 'url_forbidden') return failure('url_forbidden')
  return failure('source_unreachable', { detail: /^[A-Z_]{2,40}$/.exec(error.code ?? '')?.[0] ?? error.name })
}

import { type Failure, failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'

// Statuses of draft-ietf-secsh-filexfer-02, section 7.
const noSuchFile = 2
const permissionDenied = 3
const noConnection = 6
const connectionLost = 7

const byStatus: Readonly<Record<number, Failure>> = {
  [noSuchFile]: failure('source_not_found', { text: 'The server has no such file or folder. Check the path.' }),
  [permissionDenied]: failure('source_forbidden', {
    text: 'The server does not let this user do that with this path. Grant the permission and create the task again.',
  }),
  [noConnection]: failure('source_unreachable'),
  [connectionLost]: failure('source_unreachable'),
}

/** Converts an error of the SFTP server. Drops its message, which may contain anything. */
export function toStatusFailure(error: unknown): TransferFailed {
  if (error instanceof TransferFailed) return error
  const status = codeOf(error)
  if (status === undefined) return new TransferFailed(failure('source_unreachable', { detail: 'no answer' }))
  return new TransferFailed(
    byStatus[status] ??
      failure('source_refused', {
        text: 'The server refused to do that with this path. Check what it allows.',
        detail: `sftp status ${status}`,
      }),
  )
}

/** Why a connection failed. */
export function toConnectFailure(error: unknown): TransferFailed {
  if (error instanceof TransferFailed) return error
  const level = error instanceof Error && 'level' in error ? String(error.level) : 'unknown'
  if (level === 'client-authentication') return new TransferFailed(failure('source_unauthorized'))
  if (level === 'handshake' && error instanceof Error && /no matching/i.test(error.message)) {
    return new TransferFailed(failure('source_refused', { text: tooWeak }))
  }
  return new TransferFailed(failure('source_unreachable', { detail: level }))
}

const tooWeak =
  'The server knows no algorithm that is safe today. It needs SHA-2, and AES in GCM or CTR mode or ChaCha20-Poly1305.'

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** Whether the error means that the path does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof TransferFailed && error.failure.code === 'source_not_found'
}

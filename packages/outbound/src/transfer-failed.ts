import { type Failure, type FailureCode, failure } from '@lathe/domain'

/** The error of a body whose transfer broke: a stream can carry a Failure only as an error. */
export class TransferFailed extends Error {
  override readonly name = 'TransferFailed'
  readonly failure: Failure
  /** For libraries that pass on only the code of an error. */
  readonly code: FailureCode

  constructor(cause: Failure) {
    super(cause.code)
    this.code = cause.code
    this.failure = cause
  }
}

/** A network fault. All faults look the same, so that callers cannot learn about the network from them. */
export function unreachable(error: unknown): Failure {
  return failure('source_unreachable', { detail: faultName(error) })
}

// Only the code or class: messages contain addresses and text of the peer.
function faultName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

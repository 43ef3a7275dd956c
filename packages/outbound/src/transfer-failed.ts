import { type Failure, type FailureCode, failure } from '@lathe/domain'

/** What a body's stream ends with when the transfer goes wrong: a stream can only carry a failure as an error. */
export class TransferFailed extends Error {
  override readonly name = 'TransferFailed'
  readonly failure: Failure
  /** For libraries that hand on an error's code and drop the rest. */
  readonly code: FailureCode

  constructor(cause: Failure) {
    super(cause.code)
    this.code = cause.code
    this.failure = cause
  }
}

/** A fault on the way, told the same for every kind: whoever asks must not learn a network's shape from us. */
export function unreachable(error: unknown): Failure {
  return failure('source_unreachable', { detail: faultName(error) })
}

// The code or class alone: messages hold addresses and what the peer said.
function faultName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

import type { DeliveryAttempt } from '@lathe/database'
import { type Failure, isFailure } from '@lathe/domain'
import type { SentAnswer } from '@lathe/outbound'

interface Made {
  readonly outcome: SentAnswer | Failure
  readonly at: Date
  readonly tookMs: number
  readonly timeoutMs: number
}

/** An attempt as the delivery log shows it. */
export function describeAttempt({ outcome, at, tookMs, timeoutMs }: Made): DeliveryAttempt {
  const when = { at: at.toISOString(), tookMs }
  if (isFailure(outcome)) return { ...when, status: null, reason: wordsFor(outcome, tookMs >= timeoutMs) }
  const { status, text } = outcome
  const redirect = status >= 300 && status < 400 ? { reason: 'Redirects are not followed.' } : {}
  // PostgreSQL cannot store NUL.
  return { ...when, status, answer: text.replaceAll('\0', '\ufffd'), ...redirect }
}

function wordsFor({ code, text }: Failure, isLate: boolean): string {
  if (code === 'url_forbidden') return 'url_forbidden: The address is not one this service may reach.'
  if (code === 'secrets_unreadable') return `${code}: ${text ?? ''}`
  return isLate
    ? 'timeout: The receiver did not answer in time.'
    : 'unreachable: The receiver could not be reached or broke off.'
}

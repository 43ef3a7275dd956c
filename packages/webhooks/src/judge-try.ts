import { type Failure, isFailure } from '@lathe/domain'
import type { SentAnswer } from '@lathe/outbound'
import { nextTryAt, parseRetryAfter } from './schedule.ts'

/** What follows an attempt. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly at: Date }
  /** No attempts are left. */
  | { readonly kind: 'exhausted' }
  /** The receiver wants no more deliveries, ever. */
  | { readonly kind: 'gone' }

export interface Try {
  readonly outcome: SentAnswer | Failure
  /** Attempts before this one. */
  readonly tries: number
  /** A test is attempted once. */
  readonly once: boolean
  readonly now: Date
  readonly chance: number
}

/** 2xx means delivered and 410 means gone; anything else, including redirects, is retried while attempts are left. */
export function judgeTry({ outcome, tries, once, now, chance }: Try): Verdict {
  const status = isFailure(outcome) ? 0 : outcome.status
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const retryAfterMs = isFailure(outcome) ? undefined : parseRetryAfter(outcome.headers['retry-after'], now)
  const at = once ? undefined : nextTryAt({ tries: tries + 1, now, retryAfterMs, chance })
  return at ? { kind: 'again', at } : { kind: 'exhausted' }
}

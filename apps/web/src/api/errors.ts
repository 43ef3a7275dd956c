import { RequestError } from '@lathe/sdk'

/** The status of a refused request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof RequestError ? error.status : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/** How many seconds a user has to wait before the next attempt. */
export function secondsToWait({ retryAfterMs = 60_000 }: RequestError): number {
  return Math.ceil(retryAfterMs / 1000)
}

import { type FieldError, Problem } from '@lathe/domain'

/**
 * How many errors are reported: clients fix a few at a time, and a hostile body must not make the answer as large as
 * itself.
 */
export const mostShown = 100

/** Throws one Problem for all errors, if there are any. */
export function refuse(errors: readonly FieldError[]): void {
  const [first, ...others] = errors
  if (first === undefined) return
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  throw new Problem('invalid_request', {
    msg: `${first.path}: ${first.msg}${more}`,
    errors: errors.slice(0, mostShown),
  })
}

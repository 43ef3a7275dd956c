import { type Failure, isFailure } from '@lathe/domain'

/** All parts, or the first failure among them. */
export function allOrFailure<T>(parts: readonly (T | Failure)[]): readonly T[] | Failure {
  const good: T[] = []
  for (const part of parts) {
    if (isFailure(part)) return part
    good.push(part)
  }
  return good
}

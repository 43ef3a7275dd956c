import { type Failure, isFailure } from '@lathe/domain'
import type { Purpose } from './purposes.ts'
import { createRules, type PlaceLists } from './rules.ts'
import { parseTarget } from './target.ts'

/** Returns why a URL will be refused, as far as it is known without a DNS lookup. */
export type UrlRule = (url: string) => Failure | undefined

/** Checks a URL against the rules before it is used, without a DNS lookup or connection. */
export function createUrlRule(lists: PlaceLists, purpose: Purpose): UrlRule {
  const rules = createRules(lists, purpose)
  return (url) => {
    const target = parseTarget(url)
    return isFailure(target) ? target : rules.judge(target)
  }
}

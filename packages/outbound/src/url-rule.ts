import { type Failure, isFailure } from '@lathe/domain'
import type { Purpose } from './purposes.ts'
import { createRules, type PlaceLists } from './rules.ts'
import { parseTarget } from './target.ts'

/** Says why an address will be refused, as far as that is known without a look-up. */
export type UrlRule = (url: string) => Failure | undefined

/** The rules of the door, for those who are only told an address: nothing is looked up and nothing dialled. */
export function createUrlRule(lists: PlaceLists, purpose: Purpose): UrlRule {
  const rules = createRules(lists, purpose)
  return (url) => {
    const target = parseTarget(url)
    return isFailure(target) ? target : rules.judge(target)
  }
}

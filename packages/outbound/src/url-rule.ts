import { type Failure, failure, isFailure } from '@lathe/domain'
import { createAddressRule } from './address.ts'
import { parseTarget } from './target.ts'

/** Says why an address will be refused, as far as that is known without a look-up. */
export type UrlRule = (url: string) => Failure | undefined

/** The rules of the door, for those who are only told an address: nothing is looked up and nothing dialled. */
export function createUrlRule(allow: readonly string[]): UrlRule {
  const permits = createAddressRule(allow)
  return (url) => {
    const target = parseTarget(url)
    if (isFailure(target)) return target
    return target.isAddress && !permits(target.host) ? failure('url_forbidden', { detail: 'address' }) : undefined
  }
}

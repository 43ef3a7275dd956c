import type { CheckAddress } from '@lathe/contract'
import type { UrlRule } from '@lathe/outbound'
import type { WebhookConfig } from './config.ts'

/** Returns what is wrong with the URL of a webhook, as far as that is known before its host is looked up. */
export function createAddressCheck(rule: UrlRule, { allowHttp }: WebhookConfig): CheckAddress {
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:']
  const wanted = `must be a public address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`
  return (url) => {
    const isWanted = schemes.includes(URL.parse(url)?.protocol ?? '')
    return isWanted && rule(url) === undefined ? undefined : wanted
  }
}

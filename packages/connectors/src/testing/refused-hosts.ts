import { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from '@lathe/outbound/testing'

/** Hosts that must never be reached, in all spellings. */
export const refusedHosts: readonly string[] = [
  ...new Set([...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)]),
]

/** The same as URLs, and complete URLs that trick parsers. */
export const refusedUrls: readonly string[] = [
  ...refusedHosts.flatMap((host) => [`http://${host}/`, `https://${host}:8443/x`]),
  ...trickUrls,
]

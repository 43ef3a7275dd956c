import { isIP } from 'node:net'
import { type Failure, failure } from '@lathe/domain'
import { isPublic } from './address.ts'
import { isPublicName } from './hostname.ts'
import { isAbout, parseAllowed, parseDenied } from './place-list.ts'
import type { Purpose } from './purposes.ts'
import type { Place } from './target.ts'

/** The rules for connections of one purpose. */
export interface Rules {
  /** Why a target may not be reached, as far as it is known without a DNS lookup. */
  judge(place: Place): Failure | undefined
  /** Whether a target may be reached at this address. */
  permits(place: Place, address: string): boolean
}

/** What operators allow although it is not public, and deny although it is. */
export interface PlaceLists {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
}

/** The rules for a purpose. Without one, only entries without a purpose apply. Deny takes precedence over allow. */
export function createRules({ allow, deny = [] }: PlaceLists, purpose?: Purpose): Rules {
  const allowed = allow.map(parseAllowed)
  const denied = deny.map(parseDenied)
  const isDenied = (place: Place, address?: string) =>
    denied.some(
      (entry) =>
        isAbout(entry, purpose, place) &&
        (entry.hasName(place.host) || (address !== undefined && entry.hasAddress(address))),
    )
  const hasName = (place: Place) => allowed.some((entry) => isAbout(entry, purpose, place) && entry.hasName(place.host))
  const hasAddress = (place: Place, address: string) =>
    allowed.some((entry) => isAbout(entry, purpose, place) && entry.hasAddress(address))

  function permits(place: Place, address: string): boolean {
    // A zone id names an interface of this machine.
    if (isIP(address) === 0 || address.includes('%') || isDenied(place, address)) return false
    return isPublic(address) || hasAddress(place, address) || hasName(place)
  }

  return {
    permits,
    judge(place) {
      if (place.isAddress) return permits(place, place.host) ? undefined : refused('address')
      const isKnown = isPublicName(place.host) || hasName(place)
      return isKnown && !isDenied(place) ? undefined : refused('host name')
    },
  }
}

function refused(detail: string): Failure {
  return failure('url_forbidden', { detail })
}

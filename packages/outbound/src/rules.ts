import { isIP } from 'node:net'
import { type Failure, failure } from '@lathe/domain'
import { isPublic } from './address.ts'
import { isPublicName } from './hostname.ts'
import { isAbout, parseAllowed, parseDenied } from './place-list.ts'
import type { Purpose } from './purposes.ts'
import type { Place } from './target.ts'

/** What may be reached for one purpose. */
export interface Rules {
  /** Why a place may not be reached, as far as that is known without a look-up. */
  judge(place: Place): Failure | undefined
  /** Whether a place may be reached at this address of it. */
  permits(place: Place, address: string): boolean
}

/** What operators open although it is not public, and close although it is. */
export interface PlaceLists {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
}

/** The rules for a purpose; without one, only what is allowed for everything is. Denied goes before allowed. */
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

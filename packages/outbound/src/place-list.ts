import { isIP } from 'node:net'
import { type AddressRule, createRange, parseRange } from './address.ts'
import { isPlainName } from './hostname.ts'
import { isAllowedMailPort, isAllowedPort, isAllowedSshPort } from './ports.ts'
import { isPurpose, type Purpose, purposes } from './purposes.ts'
import type { Place } from './target.ts'

/** One entry of OUTBOUND_ALLOW or OUTBOUND_DENY: `purpose=place:port`. */
export interface PlaceEntry {
  /** Undefined: all purposes. */
  readonly purpose: Purpose | undefined
  /** Undefined: any port. */
  readonly port: number | undefined
  /** Whether this entry names the requested host. */
  hasName(host: string): boolean
  /** Whether the address is in the range of this entry. */
  readonly hasAddress: AddressRule
}

const form =
  /^(?:(?<purpose>[^=]*)=)?(?:\[(?<inside>[^[\]]+)\]|(?<plain>(?!\w+:\/\/)[^[\]=\s]+?))(?::(?<port>\d{1,5}))?$/

/** Parses an entry of what may be reached although it is not public. Without a purpose it must be a range. */
export function parseAllowed(text: string): PlaceEntry {
  const entry = parsePlace('OUTBOUND_ALLOW', text)
  if (entry.purpose === undefined) {
    if (!text.includes('/') || entry.port !== undefined)
      throw new Error(
        `OUTBOUND_ALLOW: "${text}" is not an address range. Write CIDR, such as 10.0.0.0/8, or name the purpose, such as objstore_a=10.0.0.1:9000.`,
      )
  } else if (entry.port === undefined && !text.includes('/'))
    throw new Error(`OUTBOUND_ALLOW: "${text}" has no port. Write it as ${text}:9000.`)
  return entry
}

/** Parses an entry of what may never be reached. */
export function parseDenied(text: string): PlaceEntry {
  return parsePlace('OUTBOUND_DENY', text)
}

/** Whether an entry applies to connections for this purpose to this port. */
export function isAbout(entry: PlaceEntry, purpose: Purpose | undefined, { port }: Place): boolean {
  return (entry.purpose === undefined || entry.purpose === purpose) && (entry.port === undefined || entry.port === port)
}

function parsePlace(setting: string, text: string): PlaceEntry {
  const parts = form.exec(text)?.groups
  if (!parts) throw new Error(`${setting}: "${text}" is not a place. Write purpose=host:port or a range.`)
  const { purpose, inside, plain = '' } = parts
  if (purpose !== undefined && !isPurpose(purpose))
    throw new Error(`${setting}: "${purpose}" is not a purpose. Use one of ${purposes.join(', ')}.`)
  const port = parts.port === undefined ? undefined : parsePort(setting, text, purpose, Number(parts.port))
  if (port !== undefined && plain.includes(':'))
    throw new Error(`${setting}: write the IPv6 address of "${text}" in brackets, such as [fd12::1]:9000.`)
  return { purpose, port, ...parseHostPart(setting, inside ?? plain) }
}

/** Rejects a port that no connection uses: it is a mistake, and the entry would not do what was intended. */
function parsePort(setting: string, text: string, purpose: Purpose | undefined, port: number): number {
  const isUsed = purpose === undefined ? isAnyPort : (ownPorts[purpose] ?? isAllowedPort)
  if (!isUsed(port)) throw new Error(`${setting}: "${text}" names a port that is never connected to.`)
  return port
}

const ownPorts: Partial<Record<Purpose, (port: number) => boolean>> = {
  sftp: isAllowedSshPort,
  smtp: isAllowedMailPort,
}
const isAnyPort = (port: number) =>
  [isAllowedPort, isAllowedSshPort, isAllowedMailPort].some((isAllowed) => isAllowed(port))

function parseHostPart(setting: string, text: string): Pick<PlaceEntry, 'hasName' | 'hasAddress'> {
  if (text.includes('/')) return { hasName: () => false, hasAddress: createRange(parseRange(text)) }
  const version = isIP(text)
  if (version !== 0) {
    const range = parseRange(`${text}/${version === 4 ? 32 : 128}`)
    return { hasName: () => false, hasAddress: createRange(range) }
  }
  const name = text.toLowerCase()
  const suffix = name.startsWith('*.') ? name.slice(1) : undefined
  if (!isPlainName(suffix?.slice(1) ?? name)) throw new Error(`${setting}: "${text}" is no host name or address.`)
  const hasName = suffix === undefined ? (host: string) => host === name : (host: string) => host.endsWith(suffix)
  return { hasName, hasAddress: () => false }
}

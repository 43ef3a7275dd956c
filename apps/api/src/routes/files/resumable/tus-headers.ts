import { invalidField, Problem } from '@lathe/domain'

/** The version of the tus protocol and its supported extensions. */
export const tusVersion = '1.0.0'
export const tusExtensions = 'creation,expiration,termination,checksum'
export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** The expected hash of a request's bytes. */
export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number]
  readonly digest: Buffer
}

/** Refuses other versions of the protocol. */
export function requireTus(headers: Headers): void {
  if (headers['tus-resumable'] !== tusVersion) throw new Problem('unsupported_tus_version')
}

const bytesType = 'application/offset+octet-stream'

/** Refuses bytes of another type: a parser would take them away, and nothing of them would be stored. */
export function requireBytes({ 'content-type': type }: Headers): void {
  if (typeof type !== 'string' || type.split(';', 1)[0]?.trim().toLowerCase() !== bytesType) {
    throw new Problem('not_offset_bytes')
  }
}

const overrides = ['PATCH', 'DELETE', 'HEAD']

/** The method of a request to an upload, which clients behind some proxies can only send as POST. */
export function methodOf(method: string | undefined, path: string, headers: Headers): string | undefined {
  const wanted = String(headers['x-http-method-override'] ?? '').toUpperCase()
  const isUpload = /^\/v1\/uploads\/[^/]+\/[^/]+\/tus\/[^/]/.test(path)
  return method === 'POST' && isUpload && overrides.includes(wanted) ? wanted : method
}

/** Reads a header with a number of bytes. */
export function readCount(headers: Headers, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = headers[name.toLowerCase()]
  if (text === undefined) throw invalidField(name, 'is missing. Send a number of bytes.', 'required')
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw invalidField(name, 'must be a number of bytes.')
  return Number(text)
}

const longestMetadata = 8192

/** The pairs of `Upload-Metadata`: names with values in base64, separated by commas. */
export function readMetadata(headers: Headers): ReadonlyMap<string, string> {
  const text = headers['upload-metadata'] ?? ''
  if (typeof text !== 'string' || text.length > longestMetadata) {
    throw invalidField('Upload-Metadata', `must have at most ${longestMetadata} characters.`)
  }
  const pairs = text.split(',').map((pair) => pair.trim())
  return new Map(pairs.filter((pair) => pair !== '').map(readPair))
}

function readPair(pair: string): [string, string] {
  const [, name, value = ''] = /^(\S+)(?: ([A-Za-z0-9+/]*={0,2}))?$/.exec(pair) ?? []
  if (name === undefined) {
    throw invalidField('Upload-Metadata', 'must hold pairs of a name and a value in base64, separated by commas.')
  }
  return [name, Buffer.from(value, 'base64').toString()]
}

/** Reads `Upload-Checksum`; undefined without one. */
export function readChecksum(headers: Headers): Checksum | undefined {
  const text = headers['upload-checksum']
  if (text === undefined) return undefined
  const [, name, value = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(text)) ?? []
  const algorithm = checksumAlgorithms.find((one) => one === name)
  if (!algorithm) {
    const known = checksumAlgorithms.join(', ')
    throw invalidField('Upload-Checksum', `must be an algorithm (${known}), a space and the checksum in base64.`)
  }
  return { algorithm, digest: Buffer.from(value, 'base64') }
}

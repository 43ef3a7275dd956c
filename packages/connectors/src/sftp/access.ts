import { type Failure, failure } from '@lathe/domain'
import { revealText } from '@lathe/runtime'
import ssh2, { type ParsedKey } from 'ssh2'
import type { Asked } from '../connector.ts'
import { type ExpectedHostKey, parseHostKey } from './host-key.ts'

/** The request fields with the server and the credentials. */
export type AskedAccess = Pick<
  Asked<'import/sftp'>,
  'host' | 'port' | 'username' | 'password' | 'private_key' | 'host_key'
>

/** How to reach a server, and the user to sign in as. */
export interface Access {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly key?: ParsedKey
  readonly password?: string
  readonly hostKey?: ExpectedHostKey
}

/** Reads the access from a payload. An invalid key or host key fails here, before any connection. */
export function readAccess(payload: AskedAccess): Access | Failure {
  const key = readKey(revealText(payload.private_key))
  if (key === 'unreadable') return failure('source_unauthorized', { text: unreadableKey })
  const hostKey = payload.host_key === undefined ? undefined : parseHostKey(payload.host_key)
  if (payload.host_key !== undefined && !hostKey) return failure('host_key_changed', { text: unreadableHostKey })
  const password = revealText(payload.password)
  return {
    // Numbers are accepted too: 2130706433 is a way to write 127.0.0.1.
    host: String(payload.host).toLowerCase(),
    port: Number(payload.port ?? 22),
    username: payload.username,
    ...(key && { key }),
    ...(password !== undefined && { password }),
    ...(hostKey && { hostKey }),
  }
}

const unreadableKey =
  'The private key cannot be read. Give the text of a key file of OpenSSH, PEM or PuTTY form that needs no passphrase.'
const unreadableHostKey =
  'The host key cannot be read. Give the line of a public key, such as `ssh-ed25519 AAAA…`, or its fingerprint, `SHA256:…`.'

function readKey(text: string | undefined): ParsedKey | undefined | 'unreadable' {
  if (text === undefined) return undefined
  const parsed = ssh2.utils.parseKey(text)
  if (parsed instanceof Error || !parsed.isPrivateKey()) return 'unreadable'
  return parsed.type === 'ssh-rsa' ? withoutSha1(parsed) : parsed
}

/** ssh2 signs with SHA-1 if a server does not announce a better hash. For such a server nothing is signed. */
function withoutSha1(key: ParsedKey): ParsedKey {
  const sign = key.sign.bind(key)
  return Object.defineProperty(key, 'sign', {
    value: (data: Buffer | string, hash?: string) =>
      hash === undefined || hash === 'sha1' ? new Error('no SHA-1') : sign(data, hash),
  })
}

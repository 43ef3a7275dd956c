import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What keys are for. A key of one purpose reveals nothing about those of the others. */
export const keyPurposes = ['api-keys', 'links', 'uploads', 'credentials', 'tokens'] as const

export type KeyPurpose = (typeof keyPurposes)[number]

/** The purposes for which each process needs keys. */
export const purposesOf = {
  api: keyPurposes,
  scheduler: ['links', 'uploads', 'credentials'],
  worker: ['credentials'],
} as const satisfies Record<string, readonly KeyPurpose[]>

export type Role = keyof typeof purposesOf

export interface Key {
  /** Identifies the key without revealing it: 8 hexadecimal digits. */
  readonly id: string
  /** A KeyObject: node:crypto takes five times as long to sign with the bytes of a key. */
  readonly secret: KeyObject
}

/** Keys of one purpose. The first one signs and seals; results of any of them are accepted. */
export type Keys = readonly [Key, ...Key[]]

/** The keys of a process. */
export interface KeyRing {
  /** Throws if the process has no keys for this purpose. */
  of(purpose: KeyPurpose): Keys
}

const keyBytes = 32
const keyIdBytes = 4

/** The keys of one purpose (HKDF-SHA-256), one for each secret, in the same order. */
export function deriveKeys(secrets: readonly [string, ...string[]], purpose: KeyPurpose): Keys {
  const derive = (secret: string): Key => ({
    // Derived next to the key, not from it.
    id: Buffer.from(hkdfSync('sha256', secret, 'lathe', `${purpose} key id`, keyIdBytes)).toString('hex'),
    secret: createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'lathe', purpose, keyBytes))),
  })
  const [first, ...rest] = secrets
  return [derive(first), ...rest.map(derive)]
}

/** A key ring with the given purposes. */
export function createKeyRing(keys: Readonly<Partial<Record<KeyPurpose, Keys>>>): KeyRing {
  return {
    of(purpose) {
      const held = keys[purpose]
      if (held) return held
      throw new Error(`Bad configuration:\n  no key for ${purpose}: set LATHE_SECRET, or name one in LATHE_KEYS`)
    },
  }
}

/** The format of `LATHE_KEYS`: purposes with their keys, newest first, each key with its ID. */
export const keysPattern = '^$|^[a-z-]+=[0-9a-f]{8}\\.[0-9a-f]{64}(,[0-9a-f]{8}\\.[0-9a-f]{64})*( [a-z-]+=[^ ]+)*$'

/** Formats the keys of some purposes, for processes that must not have the secret itself. */
export function formatKeys(ring: KeyRing, purposes: readonly KeyPurpose[]): string {
  const format = ({ id, secret }: Key) => `${id}.${secret.export().toString('hex')}`
  return purposes.map((purpose) => `${purpose}=${ring.of(purpose).map(format).join(',')}`).join(' ')
}

/** Parses the output of `formatKeys`. Ignores purposes that this version does not know. */
export function parseKeys(text: string): KeyRing {
  const found = text.split(' ').flatMap((part): [KeyPurpose, Keys][] => {
    const [name, list = ''] = part.split('=')
    const purpose = keyPurposes.find((known) => known === name)
    const [first, ...rest] = list.split(',').map(parseKey)
    return purpose && first ? [[purpose, [first, ...rest]]] : []
  })
  return createKeyRing(Object.fromEntries(found))
}

function parseKey(text: string): Key {
  const [, id, secret] = /^([0-9a-f]{8})\.([0-9a-f]{64})$/.exec(text) ?? []
  if (id === undefined || secret === undefined) throw new Error('Bad configuration:\n  LATHE_KEYS holds what is no key')
  return { id, secret: createSecretKey(secret, 'hex') }
}

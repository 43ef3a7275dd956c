import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The options a browser passes to an authenticator. */
interface Challenge {
  readonly challenge: string
}

/** Deviations from a correct authenticator. */
interface Behaviour {
  readonly origin?: string
  readonly rpId?: string
  /** Whether it has verified its user. */
  readonly isVerified?: boolean
  readonly counter?: number
}

/** A software authenticator: creates one passkey and signs with it, as in the WebAuthn standard. */
export interface Authenticator {
  readonly credentialId: string
  create(options: Challenge, behaviour?: Behaviour): object
  get(options: Challenge, behaviour?: Behaviour): object
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url')

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // CBOR by hand: {1: 2, 3: -7, -1: 1, -2: x, -3: y}, an ES256 key.
  const coseKey = Buffer.concat([
    ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
    ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
  ])
  let uses = 0

  function authenticatorData(
    { rpId = new URL(origin).hostname, isVerified = true, counter }: Behaviour,
    more?: Buffer,
  ) {
    uses += 1
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (more ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter ?? uses, 1)
    return Buffer.concat([sha256(rpId), head, more ?? Buffer.alloc(0)])
  }

  const clientData = (type: string, { challenge }: Challenge, { origin: from = origin }: Behaviour) =>
    JSON.stringify({ type, challenge, origin: from, crossOrigin: false })

  const toJson = (response: object) => ({
    ...{ id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} },
    response,
  })

  return {
    credentialId: encode(id),
    create(options, behaviour = {}) {
      const length = Buffer.from([0, id.length])
      const data = authenticatorData(behaviour, Buffer.concat([Buffer.alloc(16), length, id, coseKey]))
      // {fmt: 'none', attStmt: {}, authData: data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        ...[Buffer.from([data.length]), data],
      ])
      const clientDataJSON = encode(clientData('webauthn.create', options, behaviour))
      return toJson({ clientDataJSON, attestationObject: encode(attestation), transports: ['internal'] })
    },
    get(options, behaviour = {}) {
      const data = authenticatorData(behaviour)
      const client = clientData('webauthn.get', options, behaviour)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = { clientDataJSON: encode(client), authenticatorData: encode(data), signature: encode(signature) }
      return toJson(response)
    },
  }
}

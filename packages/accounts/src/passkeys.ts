import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import {
  type Database,
  deletePasskey,
  type Executor,
  findPasskey,
  insertPasskey,
  insertPasskeyChallenge,
  type LoginRecord,
  listPasskeys,
  type PasskeyRecord,
  renamePasskey,
  takePasskeyChallenge,
  usePasskey,
} from '@lathe/database'
import { type IdMint, type ObjectId, Problem } from '@lathe/domain'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/** Passkeys: keys in an authenticator that verifies its user, so that each counts as two factors. */
export interface Passkeys {
  /** Whether browsers support them for the public URL: a host name over HTTPS, or localhost. */
  readonly arePossible: boolean
  list(userId: ObjectId): Promise<readonly PasskeyRecord[]>
  /** What a browser needs to create one. */
  offer(login: LoginRecord): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Adds one, in a transaction; throws a Problem unless it answers an offer to this user. */
  add(
    tx: Executor,
    login: LoginRecord,
    made: { readonly name: string; readonly response: unknown },
  ): Promise<PasskeyRecord>
  /** What a browser needs to sign in with one. */
  ask(): Promise<PublicKeyCredentialRequestOptionsJSON>
  /**
   * The user whose passkey has answered, in a transaction; undefined if the passkey is unknown or the answer is wrong.
   */
  check(tx: Executor, response: unknown): Promise<ObjectId | undefined>
  /** Renames a user's passkey, in a transaction; undefined if there is no such passkey. */
  rename(
    tx: Executor,
    passkey: { readonly id: ObjectId; readonly userId: ObjectId; readonly name: string },
  ): Promise<PasskeyRecord | undefined>
  remove(tx: Executor, passkey: { readonly id: ObjectId; readonly userId: ObjectId }): Promise<boolean>
}

interface PasskeysParts {
  readonly database: Pick<Database, 'pool'>
  readonly ids: IdMint
  readonly publicUrl: string
}

const challengeS = 300
const mostPerUser = 20

// Its certificate parsers are loaded with the first use of a passkey, not by every process.
const load = () => import('@simplewebauthn/server')

/** Creates and checks passkeys for the public URL. */
export function createPasskeys({ database, ids, publicUrl }: PasskeysParts): Passkeys {
  const db = database.pool
  const { hostname: rpID, origin, protocol } = new URL(publicUrl)
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }
  const isName = isIP(rpID) === 0 && !rpID.startsWith('[')

  async function keep(challenge: string, userId: ObjectId | null): Promise<void> {
    await insertPasskeyChallenge(db, { hash: hashOf(challenge), userId, lastsS: challengeS })
  }

  // Not in the transaction of the change: any answer uses up the challenge.
  const take = (userId: ObjectId | null) => (challenge: string) =>
    takePasskeyChallenge(db, { hash: hashOf(challenge), userId })

  return {
    arePossible: isName && (protocol === 'https:' || rpID === 'localhost'),
    list: (userId) => listPasskeys(db, userId),
    async offer({ userId, email, name }) {
      const { generateRegistrationOptions } = await load()
      const known = await listPasskeys(db, userId)
      if (known.length >= mostPerUser) throw invalid(`You have ${mostPerUser} passkeys. Remove one first.`)
      const options = await generateRegistrationOptions({
        ...{ rpName: 'Lathe', rpID, userName: email, userDisplayName: name, attestationType: 'none' },
        userID: new Uint8Array(Buffer.from(userId, 'hex')),
        excludeCredentials: known.map(({ credentialId }) => ({ id: toBase64(credentialId) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await keep(options.challenge, userId)
      return options
    },
    async add(tx, { userId }, { name, response }) {
      const { verifyRegistrationResponse } = await load()
      const given = response as RegistrationResponseJSON
      const verify = verifyRegistrationResponse({ ...expected, response: given, expectedChallenge: take(userId) })
      const { registrationInfo: made } = await verify.catch(() => ({ registrationInfo: undefined }))
      if (!made) throw invalid('The passkey does not answer what it was asked. Try again.')
      const { id, publicKey, counter, transports = [] } = made.credential
      const kept = { credentialId: toHex(id), publicKey: Buffer.from(publicKey).toString('hex'), counter, transports }
      const record = await insertPasskey(tx, { id: ids.next(), userId, name, ...kept })
      if (!record) throw invalid('This passkey was added before.')
      return record
    },
    async ask() {
      const { generateAuthenticationOptions } = await load()
      const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
      await keep(options.challenge, null)
      return options
    },
    async check(tx, response) {
      const { verifyAuthenticationResponse } = await load()
      const given = response as AuthenticationResponseJSON
      const known = typeof given.id === 'string' ? await findPasskey(tx, toHex(given.id)) : undefined
      if (!known) return undefined
      const verify = verifyAuthenticationResponse({
        ...{ ...expected, response: given, expectedChallenge: take(null) },
        credential: {
          id: toBase64(known.credentialId),
          publicKey: new Uint8Array(Buffer.from(known.publicKey, 'hex')),
          counter: known.counter,
          transports: [...known.transports] as AuthenticatorTransport[],
        },
      })
      const { verified, authenticationInfo } = await verify.catch(() => ({
        verified: false,
        authenticationInfo: undefined,
      }))
      if (!verified || !authenticationInfo) return undefined
      const isFresh = await usePasskey(tx, { id: known.id, counter: authenticationInfo.newCounter })
      return isFresh ? known.userId : undefined
    },
    rename: renamePasskey,
    remove: deletePasskey,
  }
}

const invalid = (msg: string) => new Problem('invalid_request', { msg })
const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest('hex')
const toHex = (text: string) => Buffer.from(text, 'base64url').toString('hex')
const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

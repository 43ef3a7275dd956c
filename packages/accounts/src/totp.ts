import { createHash, randomBytes } from 'node:crypto'
import {
  type Database,
  deleteTotp,
  type Executor,
  findTotp,
  insertTotp,
  type LoginRecord,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeTotpStep,
} from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Clock, Sealer } from '@lathe/runtime'
import { Secret, TOTP } from 'otpauth'

/** What an app needs to show codes: the secret for typing, and a URI for a QR code. */
export interface TotpEnrolment {
  readonly secret: string
  readonly uri: string
}

/** Second factors with an authenticator app, and recovery codes in case it is lost. */
export interface Totp {
  /** Whether a user must enter a code to sign in. */
  isOn(userId: ObjectId): Promise<boolean>
  /** Creates a secret, in a transaction. No code is required until one has confirmed it. */
  begin(tx: Executor, login: LoginRecord): Promise<TotpEnrolment>
  /** Enables it with a code and returns the recovery codes, in a transaction; undefined if the code is wrong. */
  confirm(tx: Executor, userId: ObjectId, code: string): Promise<readonly string[] | undefined>
  /** Whether a code of the app or a recovery code is correct. Each works once. In a transaction. */
  check(tx: Executor, userId: ObjectId, code: string): Promise<boolean>
  /** Disables it, in a transaction; false if it was not enabled. */
  remove(tx: Executor, userId: ObjectId): Promise<boolean>
}

interface TotpParts {
  readonly database: Pick<Database, 'pool'>
  readonly sealer: Sealer
  readonly clock: Clock
  /** The name under which apps show the codes. */
  readonly issuer: string
}

const periodS = 30
// A clock may be off by half a minute, and typing takes time.
const stepsAround = 1
const secretBytes = 20
const recoveryCodes = 10
const recoveryBytes = 10

/** Creates and checks codes according to RFC 6238, with what every app supports: SHA-1, six digits, 30 seconds. */
export function createTotp({ database, sealer, clock, issuer }: TotpParts): Totp {
  async function takeCode(tx: Executor, userId: ObjectId, code: string, sealed: string): Promise<boolean> {
    const secret = Secret.fromBase32(sealer.open(sealed, userId))
    const timestamp = clock.now().getTime()
    const delta = TOTP.validate({ token: code, secret, timestamp, window: stepsAround, period: periodS })
    if (delta === null) return false
    return takeTotpStep(tx, { userId, step: TOTP.counter({ timestamp, period: periodS }) + delta })
  }

  return {
    isOn: async (userId) => (await findTotp(database.pool, userId))?.isConfirmed === true,
    async begin(tx, { userId, email }) {
      const secret = new Secret({ size: secretBytes })
      const isKept = await insertTotp(tx, { userId, sealed: sealer.seal(secret.base32, userId) })
      if (!isKept) throw new Problem('invalid_request', { msg: 'There is a second factor already. Remove it first.' })
      const uri = new TOTP({ issuer, label: email, secret, period: periodS }).toString()
      return { secret: secret.base32, uri }
    },
    async confirm(tx, userId, code) {
      const found = await findTotp(tx, userId)
      if (!found || found.isConfirmed)
        throw new Problem('invalid_request', { msg: 'No second factor is being set up.' })
      if (!(await takeCode(tx, userId, normalize(code), found.sealed))) return undefined
      const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
      await replaceRecoveryCodes(tx, userId, codes.map(hashOf))
      return codes
    },
    async check(tx, userId, code) {
      const found = await findTotp(tx, userId)
      if (!found?.isConfirmed) return false
      const text = normalize(code)
      if (/^\d{6}$/.test(text)) return takeCode(tx, userId, text, found.sealed)
      return takeRecoveryCode(tx, { userId, hash: hashOf(text) })
    },
    remove: (tx, userId) => deleteTotp(tx, userId),
  }
}

/** 80 bits in four groups of letters and digits that are not easily confused. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(recoveryBytes)).buffer }).base32
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

const normalize = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()
const hashOf = (code: string) => createHash('sha256').update(normalize(code)).digest('hex')

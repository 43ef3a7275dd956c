import {
  type Database,
  type EmailProof,
  type Executor,
  findLogin,
  findLoginOf,
  insertLogin,
  insertUser,
  type LoginRecord,
  updateLogin,
} from '@lathe/database'
import { type IdMint, invalidField, type ObjectId } from '@lathe/domain'
import { findPasswordFault } from './check-password.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** A new user with a login. */
export interface NewPerson {
  readonly name: string
  readonly email: string
  /** How the address was proven. Default: by nobody. */
  readonly emailProof?: EmailProof
  /** Null for users who sign in elsewhere. */
  readonly password: string | null
  readonly isAdmin: boolean
}

/** People, and how they sign in. */
export interface Logins {
  /** The login with this email address and password. An unknown address takes as long. */
  check(email: string, password: string): Promise<LoginRecord | undefined>
  find(email: string): Promise<LoginRecord | undefined>
  of(userId: ObjectId): Promise<LoginRecord | undefined>
  /**
   * Creates a user with a login, in a transaction; throws a Problem if the address is taken or the password is weak.
   */
  create(tx: Executor, person: NewPerson): Promise<LoginRecord>
  /** Sets a password, in a transaction; throws a Problem if it is weak. */
  setPassword(tx: Executor, login: LoginRecord, password: string): Promise<void>
}

interface LoginsParts {
  readonly database: Pick<Database, 'pool'>
  readonly hasher: PasswordHasher
  readonly ids: IdMint
  /** Maximum number of concurrent tasks of a new user. */
  readonly slots: number
}

/** Creates users with a login, and checks their passwords. */
export function createLogins({ database, hasher, ids, slots }: LoginsParts): Logins {
  const db = database.pool

  async function hashNew(password: string, email: string): Promise<string> {
    const fault = findPasswordFault(password, { email })
    if (fault !== undefined) throw invalidField('password', fault)
    return hasher.hash(password)
  }

  return {
    async check(email, password) {
      const login = await findLogin(db, normalizeEmail(email))
      return (await hasher.verify(password, login?.passwordHash)) ? login : undefined
    },
    find: (email) => findLogin(db, normalizeEmail(email)),
    of: (userId) => findLoginOf(db, userId),
    async create(tx, { name, password, isAdmin, emailProof = 'nobody', ...given }) {
      const email = normalizeEmail(given.email)
      const passwordHash = password === null ? null : await hashNew(password, email)
      const { id: userId } = await insertUser(tx, { id: ids.next(), name, slots })
      const login = { userId, email, emailProof, passwordHash, isAdmin }
      if (!(await insertLogin(tx, login))) throw invalidField('email', 'is taken by another account.', 'conflict')
      return { ...login, name }
    },
    async setPassword(tx, { userId, email }, password) {
      await updateLogin(tx, userId, { passwordHash: await hashNew(password, email) })
    },
  }
}

/** The form in which an email address is stored and looked up: case does not matter. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

/**
 * Whether an address is stored as it is written, apart from the case of ASCII letters. Others are different mailboxes
 * with the same stored form, so that a proof for one proves nothing about the other.
 */
export function isPlainEmail(email: string): boolean {
  const text = email.trim()
  return normalizeEmail(text) === text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

import type { ObjectId } from '@lathe/domain'
import { advisoryLocks } from '../advisory-locks.ts'
import { bytes } from '../bytes.ts'
import { type Executor, sqlState } from '../database.ts'

// A violation of a unique constraint.
const taken = '23505'

/**
 * How an email address was proven to belong to its user: by an identity provider or a proxy, by an administrator who
 * entered it, or by a link that was mailed to it. Nobody has proven addresses that users have entered themselves.
 */
export type EmailProof = 'provider' | 'administrator' | 'mail' | 'nobody'

/** How a user signs in. */
export interface LoginRecord {
  readonly userId: ObjectId
  readonly name: string
  readonly email: string
  /** Null for a login that was created before proofs were recorded. */
  readonly emailProof: EmailProof | null
  readonly passwordHash: string | null
  readonly isAdmin: boolean
}

/** A new login of a user. */
export interface NewLogin {
  readonly userId: ObjectId
  readonly email: string
  readonly emailProof: EmailProof
  readonly passwordHash: string | null
  readonly isAdmin: boolean
}

const columns = `l.user_id as "userId", u.name, l.email,
  case when l.proven_email = l.email then l.email_proof end as "emailProof", l.password_hash as "passwordHash", l.is_admin as "isAdmin"`

/** The login of an email address in lower case. */
export async function findLogin(db: Executor, email: string): Promise<LoginRecord | undefined> {
  const { rows } = await db.query<LoginRecord>(
    `select ${columns} from logins l join users u on u.id = l.user_id where l.email = $1`,
    [email],
  )
  return rows[0]
}

export async function findLoginOf(db: Executor, userId: ObjectId): Promise<LoginRecord | undefined> {
  const { rows } = await db.query<LoginRecord>(
    `select ${columns} from logins l join users u on u.id = l.user_id where l.user_id = $1`,
    [bytes(userId)],
  )
  return rows[0]
}

/** Whether any login exists. */
export async function hasLogins(db: Executor): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>('select exists (select from logins) as has')
  return rows[0]?.has === true
}

/** Adds a login; returns false if its email address is taken. */
export async function insertLogin(db: Executor, login: NewLogin): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into logins (user_id, email, password_hash, is_admin, email_proof, proven_email)
     values ($1, $2, $3, $4, $5, $2) on conflict (email) do nothing`,
    [bytes(login.userId), login.email, login.passwordHash, login.isAdmin, login.emailProof],
  )
  return rowCount === 1
}

/** Changes the given fields of a login; returns false if the user has none. */
export async function updateLogin(
  db: Executor,
  userId: ObjectId,
  { passwordHash, isAdmin }: Partial<Pick<LoginRecord, 'passwordHash' | 'isAdmin'>>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update logins set password_hash = coalesce($2, password_hash), is_admin = coalesce($3, is_admin)
      where user_id = $1`,
    [bytes(userId), passwordHash ?? null, isAdmin ?? null],
  )
  return rowCount === 1
}

/** Renames a user. */
export async function renameUser(
  tx: Executor,
  { userId, name }: { readonly userId: ObjectId; readonly name: string },
): Promise<void> {
  await tx.query('update users set name = $2 where id = $1', [bytes(userId), name])
}

/**
 * Sets the email address of a login and how it was proven; returns false if it is taken, and the transaction can only
 * be rolled back.
 */
export async function updateEmail(
  tx: Executor,
  { userId, email, emailProof }: { readonly userId: ObjectId; readonly email: string; readonly emailProof: EmailProof },
): Promise<boolean> {
  try {
    const { rowCount } = await tx.query(
      'update logins set email = $2, email_proof = $3, proven_email = $2 where user_id = $1',
      [bytes(userId), email, emailProof],
    )
    return rowCount === 1
  } catch (error) {
    if (sqlState(error) === taken) return false
    throw error
  }
}

/** Waits until no other transaction adds logins, and blocks others until this one ends. */
export async function lockLogins(tx: Executor): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.logins])
}

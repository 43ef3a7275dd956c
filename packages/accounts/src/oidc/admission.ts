import { limits } from '@lathe/contract'
import {
  type Executor,
  findLogin,
  findLoginOf,
  insertIdentity,
  type LoginRecord,
  lockLogins,
  updateEmail,
  updateLogin,
  useIdentity,
} from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { isPlainEmail, type Logins, normalizeEmail } from '../logins.ts'
import type { TeamSync, Teams } from '../teams.ts'
import type { OidcConfig } from './config.ts'
import type { ProvidedPerson } from './provider.ts'

/** Why a person whom the provider has signed in is rejected here. */
export const oidcRefusals = ['not_allowed', 'no_email', 'email_unverified', 'email_taken', 'no_account'] as const

export type OidcRefusal = (typeof oidcRefusals)[number]

/** The person who was admitted, and what that changed. */
export interface Admission {
  readonly login: LoginRecord
  /** Whether an account was created, or the identity was linked to an existing one. */
  readonly news: 'created' | 'linked' | undefined
  /** The account that had the address without any proof, and no longer has it. */
  readonly displaced?: { readonly userId: ObjectId; readonly from: string; readonly email: string }
  readonly teams: readonly TeamSync[]
}

/** Admits a person whom the provider has signed in, in a transaction. */
export type AdmitPerson = (tx: Executor, person: ProvidedPerson) => Promise<Admission | OidcRefusal>

interface AdmissionParts {
  readonly config: OidcConfig
  readonly logins: Pick<Logins, 'create'>
  readonly teams: Pick<Teams, 'sync'>
}

const provenBy: ReadonlySet<unknown> = new Set(['provider', 'administrator', 'mail'])

/**
 * Issuer and subject identify a person. An email address links to an existing account once, only if the operator
 * allows it, and only if the address was proven on both sides: anybody could have created an account with it, and knows
 * its password. Such an account does not keep the address from the person to whom the provider says it belongs.
 */
export function createAdmission({ config, logins, teams }: AdmissionParts): AdmitPerson {
  const isIn = ({ groups }: ProvidedPerson, wanted: ReadonlySet<string>) => groups.some((group) => wanted.has(group))

  async function findOrAdd(tx: Executor, person: ProvidedPerson): Promise<Omit<Admission, 'teams'> | OidcRefusal> {
    const known = await useIdentity(tx, person)
    if (known !== undefined) return { login: await loadLogin(tx, known), news: undefined }
    if (person.email === undefined || person.email.length > limits.emailChars) return 'no_email'
    if (person.isEmailVerified === false) return 'email_unverified'
    // Two simultaneous first sign-ins of one person create one account.
    await lockLogins(tx)
    const meanwhile = await useIdentity(tx, person)
    if (meanwhile !== undefined) return { login: await loadLogin(tx, meanwhile), news: undefined }
    return findOrAddByEmail(tx, person, person.email)
  }

  async function findOrAddByEmail(tx: Executor, person: ProvidedPerson, email: string) {
    const isProven = person.isEmailVerified === true && isPlainEmail(email)
    const found = await findLogin(tx, normalizeEmail(email))
    const isClaimed = found && isProven && found.emailProof === 'nobody'
    if (found && !isClaimed) return isProven ? link(tx, person, found) : 'email_taken'
    if (!config.createsAccounts) return 'no_account'
    const displaced = found && (await displace(tx, found))
    const name = person.name.slice(0, limits.personNameChars)
    const emailProof = isProven ? 'provider' : 'nobody'
    const login = await logins.create(tx, { name, email, emailProof, password: null, isAdmin: false })
    await insertIdentity(tx, { ...person, userId: login.userId })
    return { login, news: 'created', ...(displaced && { displaced }) } as const
  }

  async function link(tx: Executor, person: ProvidedPerson, login: LoginRecord) {
    if (!config.linksByEmail || !provenBy.has(login.emailProof)) return 'email_taken'
    await insertIdentity(tx, { ...person, userId: login.userId })
    return { login, news: 'linked' } as const
  }

  /** Groups decide who is an administrator, if admin groups are configured. */
  async function withRank(tx: Executor, login: LoginRecord, person: ProvidedPerson): Promise<LoginRecord> {
    if (config.adminGroups.size === 0) return login
    const isAdmin = isIn(person, config.adminGroups)
    if (isAdmin !== login.isAdmin) await updateLogin(tx, login.userId, { isAdmin })
    return { ...login, isAdmin }
  }

  return async (tx, person) => {
    if (config.allowedGroups.size > 0 && !isIn(person, config.allowedGroups)) return 'not_allowed'
    const found = await findOrAdd(tx, person)
    if (typeof found === 'string') return found
    const login = await withRank(tx, found.login, person)
    const synced = []
    for (const [teamId, role] of wantedRoles(config, person)) {
      const change = await teams.sync(tx, { teamId, userId: login.userId }, role)
      if (change) synced.push(change)
    }
    return { ...found, login, teams: synced }
  }
}

/**
 * The role that a person's groups give in each configured team; undefined for none. In the order of ids, as locks are
 * taken.
 */
function wantedRoles({ teamRules }: OidcConfig, { groups }: ProvidedPerson) {
  const roles = new Map<ObjectId, 'member' | 'admin' | undefined>()
  for (const { group, teamId, role } of teamRules) {
    const before = roles.get(teamId)
    roles.set(teamId, groups.includes(group) && before !== 'admin' ? role : before)
  }
  return [...roles].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Takes an address from an account that has not proven it. The account keeps all it owns, under an address that nobody
 * can have.
 */
async function displace(tx: Executor, { userId, email: from }: LoginRecord) {
  const email = `${userId}@unproven.invalid`
  await updateEmail(tx, { userId, email, emailProof: 'nobody' })
  return { userId, from, email }
}

async function loadLogin(tx: Executor, userId: ObjectId): Promise<LoginRecord> {
  const login = await findLoginOf(tx, userId)
  if (!login) throw new Error('an identity without a login')
  return login
}

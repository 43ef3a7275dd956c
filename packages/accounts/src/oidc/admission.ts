import { limits } from '@lathe/contract'
import {
  type Executor,
  findLogin,
  findLoginOf,
  insertIdentity,
  type LoginRecord,
  lockLogins,
  updateLogin,
  useIdentity,
} from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { type Logins, normalizeEmail } from '../logins.ts'
import type { TeamSync, Teams } from '../teams.ts'
import type { OidcConfig } from './config.ts'
import type { ProvidedPerson } from './provider.ts'

/** Why somebody whom the provider has signed in is not signed in here. */
export const oidcRefusals = ['not_allowed', 'no_email', 'email_unverified', 'email_taken', 'no_account'] as const

export type OidcRefusal = (typeof oidcRefusals)[number]

/** Who was let in, and what that changed. */
export interface Admission {
  readonly login: LoginRecord
  /** Whether an account was made, or the identity added to one that was there. */
  readonly news: 'created' | 'linked' | undefined
  readonly teams: readonly TeamSync[]
}

/** Lets in whom the provider has signed in, in a transaction. */
export type AdmitPerson = (tx: Executor, person: ProvidedPerson) => Promise<Admission | OidcRefusal>

interface AdmissionParts {
  readonly config: OidcConfig
  readonly logins: Pick<Logins, 'create'>
  readonly teams: Pick<Teams, 'sync'>
}

/** Who somebody is is issuer and subject. An email address leads to an account once, and only by the operator's word. */
export function createAdmission({ config, logins, teams }: AdmissionParts): AdmitPerson {
  const isIn = ({ groups }: ProvidedPerson, wanted: ReadonlySet<string>) => groups.some((group) => wanted.has(group))

  async function findOrAdd(tx: Executor, person: ProvidedPerson): Promise<Omit<Admission, 'teams'> | OidcRefusal> {
    const known = await useIdentity(tx, person)
    if (known !== undefined) return { login: await loadLogin(tx, known), news: undefined }
    if (person.email === undefined || person.email.length > limits.emailChars) return 'no_email'
    if (person.isEmailVerified === false) return 'email_unverified'
    // Two first sign-ins of one person at once make one account.
    await lockLogins(tx)
    const meanwhile = await useIdentity(tx, person)
    if (meanwhile !== undefined) return { login: await loadLogin(tx, meanwhile), news: undefined }
    const found = await findLogin(tx, normalizeEmail(person.email))
    if (found) return link(tx, person, found)
    if (!config.createsAccounts) return 'no_account'
    const name = person.name.slice(0, limits.personNameChars)
    const login = await logins.create(tx, { name, email: person.email, password: null, isAdmin: false })
    await insertIdentity(tx, { ...person, userId: login.userId })
    return { login, news: 'created' }
  }

  async function link(tx: Executor, person: ProvidedPerson, login: LoginRecord) {
    if (!config.linksByEmail || person.isEmailVerified !== true) return 'email_taken'
    await insertIdentity(tx, { ...person, userId: login.userId })
    return { login, news: 'linked' } as const
  }

  /** Administrators are told by groups, where groups are named for them. */
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
    return { login, news: found.news, teams: synced }
  }
}

/** What the groups of a person make it in each team that groups are named for; undefined for nothing. In the order of ids, as locks are taken. */
function wantedRoles({ teamRules }: OidcConfig, { groups }: ProvidedPerson) {
  const roles = new Map<ObjectId, 'member' | 'admin' | undefined>()
  for (const { group, teamId, role } of teamRules) {
    const before = roles.get(teamId)
    roles.set(teamId, groups.includes(group) && before !== 'admin' ? role : before)
  }
  return [...roles].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function loadLogin(tx: Executor, userId: ObjectId): Promise<LoginRecord> {
  const login = await findLoginOf(tx, userId)
  if (!login) throw new Error('an identity without a login')
  return login
}

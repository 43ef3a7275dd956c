import {
  type Accounts,
  type AccountsConfig,
  type ChangeProfile,
  createAccountDeletion,
  createDeviceLogins,
  createInstance,
  createInvitations,
  createLogins,
  createMailer,
  createOidc,
  createPasskeys,
  createPasswordHasher,
  createProfileChanges,
  createSessions,
  createSetup,
  createTeams,
  createTotp,
  createVisitors,
  type DeleteAccount,
  type DeviceLogins,
  type Instance,
  type Invitations,
  type Logins,
  type MailConfig,
  type Oidc,
  type OidcConfig,
  type Passkeys,
  type SendMail,
  type Sessions,
  type Setup,
  type Teams,
  type Totp,
  type Visitors,
} from '@lathe/accounts'
import type { OutboundDoors } from '@lathe/outbound'
import type { KeyRing } from '@lathe/runtime'
import type { Services } from '../services.ts'
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers.ts'
import { createSessionCookie, type SessionCookie } from './session-cookie.ts'

/** The services behind /auth; undefined with ACCOUNTS_MODE=none. */
export interface Auth {
  readonly config: AccountsConfig
  readonly cookie: SessionCookie
  /** Browsers in which users have signed in before. */
  readonly knownBrowsers: KnownBrowsers
  readonly sessions: Sessions
  readonly logins: Logins
  readonly setup: Setup
  readonly totp: Totp
  readonly passkeys: Passkeys
  readonly visitors: Visitors
  readonly teams: Teams
  readonly invitations: Invitations
  readonly instance: Instance
  readonly deleteAccount: DeleteAccount
  readonly changeProfile: ChangeProfile
  /** False if addresses link accounts to the identity provider: users could take the account of somebody else's address. */
  readonly mayChangeEmail: boolean
  /** Sign-ins of programs without a browser; only mode `accounts` has users who may approve them. */
  readonly deviceLogins: DeviceLogins
  /** Undefined without a mail server. */
  readonly sendMail: SendMail | undefined
  /** Undefined without an identity provider. */
  readonly oidc: Oidc | undefined
  /** The cookie a browser holds while its user is at the identity provider. */
  readonly oidcCookie: SessionCookie
}

type Parts = Pick<Services, 'database' | 'ids' | 'clock' | 'sealer' | 'audit'> & {
  readonly config: AccountsConfig
  readonly oidc: OidcConfig | undefined
  readonly mail: MailConfig | undefined
  readonly outbound: OutboundDoors
  readonly publicUrl: string
  readonly keys: KeyRing
  readonly accounts: Pick<Accounts, 'createOwnKey'>
}

export function createAuth(parts: Parts): Auth | undefined {
  const { config, publicUrl, keys, database, ids, clock, sealer, audit } = parts
  if (config.mode === 'none') return undefined
  const anonymous = { isAllowed: config.mode === 'open', idleS: config.anonymous.idleS }
  const logins = createLogins({ database, ids, hasher: createPasswordHasher(), slots: config.slots })
  const deleteAccount = createAccountDeletion({ audit })
  const teams = createTeams({ database, ids, slots: config.slots, perPerson: config.teamsPerPerson })
  return {
    config,
    cookie: createSessionCookie(publicUrl),
    knownBrowsers: createKnownBrowsers(publicUrl, keys.of('tokens')),
    sessions: createSessions({ database, ids, clock, tokenKeys: keys.of('tokens'), anonymous }),
    logins,
    setup: createSetup({ database, logins }),
    totp: createTotp({ database, sealer, clock, issuer: `Lathe (${new URL(publicUrl).host})` }),
    passkeys: createPasskeys({ database, ids, publicUrl }),
    visitors: createVisitors({ logins, ids, proxy: config.proxy, anonymous: config.anonymous }),
    teams,
    invitations: createInvitations({
      ...{ database, ids, teams, hasEmails: config.mode === 'accounts' },
      createsAccounts: whoCreatesAccounts(config, parts.oidc),
      perDay: config.invitationsPerDay,
      mailsPerRecipient: config.invitationMailsPerRecipient,
    }),
    instance: createInstance({ audit, ids, deleteAccount }),
    deleteAccount,
    changeProfile: createProfileChanges({ audit }),
    mayChangeEmail: !parts.oidc?.linksByEmail,
    deviceLogins: createDeviceLogins({ database, accounts: parts.accounts, hashKeys: keys.of('tokens') }),
    sendMail: parts.mail && createMailer(parts.mail, parts.outbound.for('smtp')),
    oidc: findOidc(parts, { logins, teams }),
    oidcCookie: createSessionCookie(publicUrl, 'lathe-oidc'),
  }
}

/** Accounts that the identity provider does not know would bypass its groups, and stay when their user leaves. */
function whoCreatesAccounts({ invitedAccounts }: AccountsConfig, oidc: OidcConfig | undefined) {
  if (invitedAccounts !== 'auto') return invitedAccounts
  return oidc ? 'nobody' : 'administrators'
}

function findOidc({ oidc, outbound, ...parts }: Parts, others: Pick<Auth, 'logins' | 'teams'>): Oidc | undefined {
  return oidc && createOidc({ ...parts, ...others, config: oidc, outbound: outbound.for('oidc') })
}

import { type Static, Type } from 'typebox'
import { type AddressList, createAddressList, isAddressRange } from './address-list.ts'

export { mailEnv } from './mail/config.ts'
export { oidcEnv } from './oidc/config.ts'

/** Who may use the web app, and how users are identified. */
export type AccountsMode = 'none' | 'accounts' | 'proxy' | 'open'

const modes: readonly AccountsMode[] = ['none', 'accounts', 'proxy', 'open']

const invitedAccounts = ['auto', 'nobody', 'administrators', 'everybody'] as const

/** The api's settings for user accounts. */
export const accountsEnv = Type.Object({
  ACCOUNTS_MODE: Type.Union(
    modes.map((mode) => Type.Literal(mode)),
    {
      default: 'none',
      description:
        'Who may use the web app: nobody (`none`), people who sign in (`accounts`), people authenticated by a reverse proxy (`proxy`), or everybody (`open`). The API needs a key or token in every mode',
    },
  ),
  ACCOUNTS_PROXIES: Type.String({
    default: '',
    description:
      'IP addresses or networks of the authenticating reverse proxies, separated by commas. Required for ACCOUNTS_MODE=proxy. The proxies must remove ACCOUNTS_PROXY_HEADER from requests of clients',
  }),
  ACCOUNTS_PROXY_HEADER: Type.String({
    default: 'Remote-User',
    pattern: '^[A-Za-z][A-Za-z0-9-]*$',
    description: 'Header in which the proxies send the user: a user name or an email address',
  }),
  ACCOUNTS_PROXY_ADMINS: Type.String({
    default: '',
    description: 'Users of the proxies who are administrators, separated by commas',
  }),
  ACCOUNT_SLOTS: Type.Integer({
    minimum: 1,
    default: 10,
    description: 'Maximum number of tasks that run at once for a new account',
  }),
  ACCOUNT_TEAMS: Type.Integer({
    minimum: 0,
    maximum: 50,
    default: 5,
    description:
      'Maximum number of teams that one person may own. Each team has its own limits, so teams add slots. 0: only administrators create teams',
  }),
  INVITED_ACCOUNTS: Type.Union(
    invitedAccounts.map((who) => Type.Literal(who)),
    {
      default: 'auto',
      description:
        'Whose invitations create accounts for people who have none: those of `nobody`, of `administrators` of the instance, or of `everybody` (every user can then create accounts). `auto`: of administrators, and of nobody with OIDC_ISSUER, because such accounts do not depend on the identity provider. Existing users can accept every invitation',
    },
  ),
  INVITATIONS_PER_DAY: Type.Integer({
    minimum: 0,
    default: 30,
    description:
      'Maximum number of invitations that one user creates per day (UTC), also of those revoked since. 0: nobody invites',
  }),
  INVITATION_MAILS_PER_RECIPIENT: Type.Integer({
    minimum: 0,
    default: 3,
    description:
      'Maximum number of invitations that are mailed to one address per day (UTC), whoever invites. Further ones are created without a mail. 0: no invitation is mailed',
  }),
  SIGN_INS_PER_ACCOUNT: Type.Integer({
    minimum: 1,
    default: 10,
    description:
      'Maximum number of failed sign-ins per account from one address (IPv6: one /64) in 15 minutes; from all addresses together ten times as many. A browser in which the user has signed in before has a limit of its own',
  }),
  SIGN_INS_PER_ADDRESS: Type.Integer({
    minimum: 1,
    default: 30,
    description:
      'Maximum number of failed sign-ins per address (IPv6: per /64) in 15 minutes, to all accounts together',
  }),
  DEVICE_LOGINS_PER_ADDRESS: Type.Integer({
    minimum: 1,
    default: 30,
    description:
      'Sign-ins of programs (`lathe login`) that begin from one address (IPv6: one /64) in 15 minutes, with ACCOUNTS_MODE=accounts. Raise it if many people share one address',
  }),
  ANONYMOUS_SLOTS: Type.Integer({
    minimum: 1,
    default: 2,
    description: 'Maximum number of tasks that run at once per browser with ACCOUNTS_MODE=open',
  }),
  ANONYMOUS_STORED_BYTES: Type.Integer({
    minimum: 1,
    default: 2 * 1024 ** 3,
    description:
      'Bytes that the files of a browser take in storage, at most, with ACCOUNTS_MODE=open. Applies to browsers that come after it is set',
  }),
  ANONYMOUS_CONNECTORS: Type.String({
    default: '',
    description:
      'Imports from and exports to storage that browsers may use with ACCOUNTS_MODE=open, such as `import/sftp,export/objstore_a`. By default none: strangers would use this service to reach the storage of others. Uploads, `import/url`, `import/webpage`, `import/base64` and `export/url` are always allowed',
  }),
  ANONYMOUS_PER_HOUR: Type.Integer({
    minimum: 1,
    default: 30,
    description:
      'Browsers from one address (IPv6: one /64) that get an owner per hour with ACCOUNTS_MODE=open; 16 times as many from one IPv6 /48. Raise it if many people share one address',
  }),
})

/** Settings of api and scheduler for anonymous browsers. */
export const anonymousEnv = Type.Object({
  ANONYMOUS_IDLE_H: Type.Integer({
    minimum: 25,
    maximum: 8760,
    default: 48,
    description:
      "Hours without use after which a browser's owner is deleted with everything it owns (ACCOUNTS_MODE=open). Must be more than the 24 hours for which tasks are kept",
  }),
})

/** The scheduler's settings for the audit log. */
export const auditEnv = Type.Object({
  AUDIT_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 365,
    description: 'Days for which entries of the audit log are kept',
  }),
})

/** How long entries of the audit log are kept. */
export function auditMs(env: Static<typeof auditEnv>): number {
  return env.AUDIT_DAYS * 86_400_000
}

export interface AccountsConfig {
  readonly mode: AccountsMode
  readonly proxy: ProxyConfig
  /** Maximum number of concurrent tasks of a new account. */
  readonly slots: number
  /** Teams that one person may own. */
  readonly teamsPerPerson: number
  /** Whose invitations create accounts; `auto` depends on whether there is an identity provider. */
  readonly invitedAccounts: (typeof invitedAccounts)[number]
  readonly invitationsPerDay: number
  readonly invitationMailsPerRecipient: number
  readonly signInsPerAccount: number
  readonly signInsPerAddress: number
  readonly deviceLoginsPerAddress: number
  readonly anonymous: {
    readonly slots: number
    readonly storedBytes: number
    /** Imports and exports that are allowed besides the usual ones. */
    readonly connectors: ReadonlySet<string>
    readonly perHour: number
    readonly idleS: number
  }
}

/** Which proxies are trusted, and for which header. */
export interface ProxyConfig {
  readonly addresses: AddressList
  /** In lower case. */
  readonly header: string
  /** In lower case. */
  readonly admins: ReadonlySet<string>
}

/** The accounts' part of the api's configuration; throws an error that names what is missing. */
export function accountsConfig(env: Static<typeof accountsEnv> & Static<typeof anonymousEnv>): AccountsConfig {
  const mode = modes.find((known) => known === env.ACCOUNTS_MODE) ?? 'none'
  return {
    mode,
    proxy: {
      addresses: createAddressList(readProxies(mode, env.ACCOUNTS_PROXIES)),
      header: env.ACCOUNTS_PROXY_HEADER.toLowerCase(),
      admins: new Set(toList(env.ACCOUNTS_PROXY_ADMINS.toLowerCase())),
    },
    slots: env.ACCOUNT_SLOTS,
    teamsPerPerson: env.ACCOUNT_TEAMS,
    invitedAccounts: invitedAccounts.find((known) => known === env.INVITED_ACCOUNTS) ?? 'auto',
    invitationsPerDay: env.INVITATIONS_PER_DAY,
    invitationMailsPerRecipient: env.INVITATION_MAILS_PER_RECIPIENT,
    signInsPerAccount: env.SIGN_INS_PER_ACCOUNT,
    signInsPerAddress: env.SIGN_INS_PER_ADDRESS,
    deviceLoginsPerAddress: env.DEVICE_LOGINS_PER_ADDRESS,
    anonymous: {
      slots: env.ANONYMOUS_SLOTS,
      storedBytes: env.ANONYMOUS_STORED_BYTES,
      connectors: new Set(toList(env.ANONYMOUS_CONNECTORS)),
      perHour: env.ANONYMOUS_PER_HOUR,
      idleS: anonymousIdleS(env),
    },
  }
}

/** How long the owner of an anonymous browser is kept without use. */
export function anonymousIdleS(env: Static<typeof anonymousEnv>): number {
  return env.ANONYMOUS_IDLE_H * 3600
}

function readProxies(mode: AccountsMode, text: string): readonly string[] {
  const ranges = toList(text)
  const strange = ranges.filter((range) => !isAddressRange(range))
  if (strange.length > 0) throw badConfiguration(`ACCOUNTS_PROXIES: ${strange.join(', ')} is no address or network`)
  if (mode === 'proxy' && ranges.length === 0) {
    throw badConfiguration('ACCOUNTS_MODE=proxy needs ACCOUNTS_PROXIES: without them anybody could name themselves')
  }
  return ranges
}

const badConfiguration = (fault: string) => new Error(`Bad configuration:\n  ${fault}`)

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

import { isObjectId, type ObjectId } from '@lathe/domain'
import { secretVariable } from '@lathe/runtime'
import { type Static, Type } from 'typebox'

/** The api's settings for an identity provider. */
export const oidcEnv = Type.Object({
  OIDC_ISSUER: Type.String({
    default: '',
    pattern: '^(https?://[^?#\\s]+)?$',
    description:
      'Issuer of an OpenID Connect provider that people may sign in with (ACCOUNTS_MODE=accounts), such as https://id.example.com/realms/main. Its host may be private; others that it names for tokens and keys need OUTBOUND_ALLOW=oidc=host:port unless they are public. Empty: none',
  }),
  OIDC_CLIENT_ID: Type.String({ default: '', description: 'Client id of Lathe at the provider' }),
  OIDC_CLIENT_SECRET: secretVariable({
    default: '',
    description: 'Client secret of Lathe at the provider. Empty: a public client, with PKCE alone',
  }),
  OIDC_NAME: Type.String({
    default: 'single sign-on',
    maxLength: 60,
    description: 'Name of the provider on the button of the sign-in page',
  }),
  OIDC_SCOPES: Type.String({
    default: 'openid email profile',
    description:
      'Scopes to ask for, separated by spaces. `openid` must be among them; some providers need `groups` for OIDC_GROUPS_CLAIM',
  }),
  OIDC_GROUPS_CLAIM: Type.String({
    default: 'groups',
    description: "Claim of the ID token or user info that lists a person's groups",
  }),
  OIDC_ALLOWED_GROUPS: Type.String({
    default: '',
    description: 'Groups that may sign in through the provider, separated by commas. Empty: everybody',
  }),
  OIDC_ADMIN_GROUPS: Type.String({
    default: '',
    description:
      'Groups whose members are administrators, separated by commas. Checked at each sign-in: people who left the groups lose the role. Empty: the provider does not change administrators',
  }),
  OIDC_TEAM_ROLES: Type.String({
    default: '',
    description:
      'Groups whose members join a team, as group=team id:role, separated by commas, such as turners=665f1c2ab0c1d2e3f4a5b6c7:member. Roles are member and admin. Checked at each sign-in; changes made on the members page are kept',
  }),
  OIDC_CREATE_ACCOUNTS: Type.Boolean({
    default: true,
    description: 'Create an account when a person signs in through the provider for the first time',
  }),
  OIDC_LINK_BY_EMAIL: Type.Boolean({
    default: false,
    description:
      'Sign people in to the existing account with their email address, if the provider reports it as verified and it was proven here as well (docs/accounts.md). Enable it only if the provider really verifies email addresses',
  }),
})

/** A group whose members belong to a team. */
export interface TeamRule {
  readonly group: string
  readonly teamId: ObjectId
  readonly role: 'member' | 'admin'
}

/** The provider, and which of its claims are used. */
export interface OidcConfig {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  readonly scopes: string
  readonly groupsClaim: string
  readonly allowedGroups: ReadonlySet<string>
  readonly adminGroups: ReadonlySet<string>
  readonly teamRules: readonly TeamRule[]
  readonly createsAccounts: boolean
  readonly linksByEmail: boolean
}

/** The provider's part of the configuration, undefined without an issuer; throws an error that names what is wrong. */
export function oidcConfig(env: Static<typeof oidcEnv>): OidcConfig | undefined {
  if (env.OIDC_ISSUER === '') return undefined
  if (env.OIDC_CLIENT_ID === '') throw badConfiguration('OIDC_ISSUER needs OIDC_CLIENT_ID')
  if (!env.OIDC_SCOPES.split(' ').includes('openid')) throw badConfiguration('OIDC_SCOPES must hold openid')
  return {
    issuer: new URL(env.OIDC_ISSUER),
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    name: env.OIDC_NAME,
    scopes: env.OIDC_SCOPES,
    groupsClaim: env.OIDC_GROUPS_CLAIM,
    allowedGroups: new Set(toList(env.OIDC_ALLOWED_GROUPS)),
    adminGroups: new Set(toList(env.OIDC_ADMIN_GROUPS)),
    teamRules: toList(env.OIDC_TEAM_ROLES).map(toTeamRule),
    createsAccounts: env.OIDC_CREATE_ACCOUNTS,
    linksByEmail: env.OIDC_LINK_BY_EMAIL,
  }
}

/** The provider as an entry of OUTBOUND_ALLOW: the operator has named its host. */
export function oidcPlace({ issuer }: OidcConfig): string {
  return `oidc=${issuer.hostname}:${issuer.port || (issuer.protocol === 'https:' ? 443 : 80)}`
}

function toTeamRule(text: string): TeamRule {
  // Group names may contain any character except a comma, so the last = counts.
  const at = text.lastIndexOf('=')
  const [teamId = '', role] = text.slice(at + 1).split(':')
  if (at < 1 || !isObjectId(teamId) || (role !== 'member' && role !== 'admin')) {
    throw badConfiguration(`OIDC_TEAM_ROLES: "${text}" is not of the form group=team id:member or group=team id:admin`)
  }
  return { group: text.slice(0, at), teamId, role }
}

const badConfiguration = (fault: string) => new Error(`Bad configuration:\n  ${fault}`)

const toList = (text: string) => text.split(',').flatMap((item) => item.trim() || [])

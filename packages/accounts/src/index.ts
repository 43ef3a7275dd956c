export { isAccessToken } from './access-token.ts'
export { createAccountDeletion, type DeleteAccount } from './account-deletion.ts'
export { type Accounts, createAccounts, type KeyHolder } from './accounts.ts'
export { isAddressRange } from './address-list.ts'
export { type Audit, type AuditActor, createAudit } from './audit.ts'
export { createCallerCache } from './caller-cache.ts'
export {
  type AccountsConfig,
  accountsConfig,
  accountsEnv,
  anonymousEnv,
  anonymousIdleS,
  auditEnv,
  auditMs,
  mailEnv,
  oidcEnv,
  type ProxyConfig,
} from './config.ts'
export { createDeviceLogins, type DeviceLogins, unknownCode } from './device-logins.ts'
export { type AdminActor, createInstance, type Instance } from './instance.ts'
export { createInvitations, type Invitations, invitationUrl, type MadeInvitation } from './invitations.ts'
export { formatKey, isKey } from './key-format.ts'
export { createLinkMaker, type LinkMaker } from './links/link-maker.ts'
export { createLogins, type Logins, normalizeEmail } from './logins.ts'
export { type MailConfig, mailConfig, mailPlace } from './mail/config.ts'
export { toEmailChangeMail } from './mail/email-change-mail.ts'
export { toInvitationMail } from './mail/invitation-mail.ts'
export { createMailer, type SendMail } from './mail/mailer.ts'
export { newPassword } from './new-password.ts'
export type { Admission } from './oidc/admission.ts'
export { type OidcConfig, oidcConfig, oidcPlace } from './oidc/config.ts'
export { createOidc, type Oidc } from './oidc/oidc.ts'
export { createPasskeys, type Passkeys } from './passkeys.ts'
export { createPasswordHasher } from './password-hasher.ts'
export { type ChangeProfile, createProfileChanges } from './profile.ts'
export { createSessions, type OpenedSession, type SessionKind, type Sessions } from './sessions.ts'
export { createSetup, type Setup, setupUrl } from './setup.ts'
export { createTeams, type TeamActor, type Teams } from './teams.ts'
export { createTotp, type Totp } from './totp.ts'
export { createVisitors, type Visitors } from './visitors.ts'

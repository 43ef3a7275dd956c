export { isAccessToken } from './access-token.ts'
export { createAccountDeletion, type DeleteAccount } from './account-deletion.ts'
export {
  type Accounts,
  type AccountsParts,
  type CreatedKey,
  createAccounts,
  type KeyHolder,
  type NewKey,
  type RevokeOptions,
} from './accounts.ts'
export { type AddressList, isAddressRange } from './address-list.ts'
export { type Audit, type AuditActor, createAudit, type NewAuditEntry } from './audit.ts'
export { createCallerCache } from './caller-cache.ts'
export {
  type AccountsConfig,
  type AccountsMode,
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
export {
  type ApprovedLogin,
  createDeviceLogins,
  type DeviceLogins,
  type NewDeviceLogin,
  type StartedDeviceLogin,
  unknownCode,
} from './device-logins.ts'
export { type AccountChange, type AdminActor, createInstance, type Instance } from './instance.ts'
export {
  createInvitations,
  type Invitations,
  invitationUrl,
  type MadeInvitation,
  type NewInvite,
} from './invitations.ts'
export { formatKey, isKey } from './key-format.ts'
export { createLogins, type Logins, type NewPerson, normalizeEmail } from './logins.ts'
export { type MailConfig, mailConfig, mailPlace } from './mail/config.ts'
export { toEmailChangeMail } from './mail/email-change-mail.ts'
export { toInvitationMail } from './mail/invitation-mail.ts'
export { createMailer, type Mail, type SendMail } from './mail/mailer.ts'
export { newPassword } from './new-password.ts'
export { type Admission, type OidcRefusal, oidcRefusals } from './oidc/admission.ts'
export { type OidcConfig, oidcConfig, oidcPlace, type TeamRule } from './oidc/config.ts'
export { createOidc, type Oidc } from './oidc/oidc.ts'
export { createPasskeys, type Passkeys } from './passkeys.ts'
export { createPasswordHasher, type PasswordHasher } from './password-hasher.ts'
export { type ChangeProfile, createProfileChanges, type ProfileChange } from './profile.ts'
export {
  createSessions,
  type IssuedToken,
  type OpenedSession,
  type SessionKind,
  type SessionOrigin,
  type SessionRequest,
  type Sessions,
  type SessionsParts,
} from './sessions.ts'
export { createSetup, type Setup, setupUrl } from './setup.ts'
export { createTeams, type MemberChange, type TeamActor, type TeamSync, type Teams } from './teams.ts'
export { createTotp, type Totp, type TotpEnrolment } from './totp.ts'
export { createVisitors, type Visitors } from './visitors.ts'

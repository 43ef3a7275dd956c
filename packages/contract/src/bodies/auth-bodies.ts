import { Type } from 'typebox'
import { limits } from '../limits.ts'

const email = Type.String({ minLength: 3, maxLength: limits.emailChars, description: 'An email address.' })
const password = Type.String({ minLength: 1, maxLength: limits.passwordChars })
const closed = { additionalProperties: false } as const
const current = Type.String({ minLength: 1, maxLength: limits.passwordChars, description: 'The current password.' })
const stay = Type.Optional(Type.Boolean({ description: 'Stay signed in for up to 30 days. Default: false.' }))
const name = Type.String({ minLength: 1, maxLength: limits.keyNameChars, description: 'Name in the list of passkeys.' })
const ownerId = Type.String({ maxLength: 24, description: 'The id of the user or of a team.' })

/** Changes without fields: browsers send `{}`. */
export const emptyBody = Type.Object({}, { ...closed, title: 'EmptyRequest' })

/** POST /auth/sign-in. */
export const signInBody = Type.Object({ email, password, stay }, { ...closed, title: 'SignInRequest' })

/** POST /auth/setup: the fragment of the setup link, and the first administrator. */
export const setupBody = Type.Object(
  {
    link: Type.String({ minLength: 1, maxLength: 100, description: 'The fragment of the setup link.' }),
    name: Type.String({ minLength: 1, maxLength: limits.personNameChars }),
    email,
    password,
  },
  { ...closed, title: 'SetupRequest' },
)

/** POST /auth/password. */
export const passwordBody = Type.Object(
  {
    current,
    password,
    revokeKeys: Type.Optional(
      Type.Boolean({
        description: 'Also revoke all API keys that the user has created, for any owner. Default: false.',
      }),
    ),
  },
  { ...closed, title: 'ChangePasswordRequest' },
)

/** POST /auth/confirm: users without a password must have signed in recently. */
export const confirmationBody = Type.Object(
  { current: Type.Optional(current) },
  { ...closed, title: 'ConfirmIdentityRequest' },
)

/** POST /auth/totp and DELETE /auth/totp. */
export const ownPasswordBody = Type.Object({ current }, { ...closed, title: 'ConfirmPasswordRequest' })

/** DELETE /auth/account: users without a password must have signed in recently. */
export const accountDeletionBody = Type.Object(
  { current: Type.Optional(current) },
  { ...closed, title: 'DeleteOwnAccountRequest' },
)

/** PATCH /auth/account: a new email address needs the password, or a recent sign-in of users without one. */
export const profileBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: limits.personNameChars })),
    email: Type.Optional(email),
    current: Type.Optional(current),
  },
  { ...closed, title: 'UpdateProfileRequest' },
)

/** POST /auth/second-factor and POST /auth/totp/confirm: six digits, or a recovery code. */
export const codeBody = Type.Object(
  { code: Type.String({ minLength: 6, maxLength: 40, description: 'Six digits, or a recovery code.' }) },
  { ...closed, title: 'CodeRequest' },
)

// Browsers send the JSON of the WebAuthn standard; the code that verifies it also checks its structure.
const webauthnResponse = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The answer of the browser, in the JSON format of WebAuthn.',
})

/** POST /auth/passkeys/confirm. */
export const passkeyBody = Type.Object({ name, response: webauthnResponse }, { ...closed, title: 'AddPasskeyRequest' })

/** PATCH /auth/passkeys/:id. */
export const passkeyNameBody = Type.Object({ name }, { ...closed, title: 'RenamePasskeyRequest' })

/** POST /auth/passkeys/sign-in. */
export const passkeySignInBody = Type.Object(
  { response: webauthnResponse, stay },
  { ...closed, title: 'PasskeySignInRequest' },
)

/** POST /auth/token. */
export const tokenBody = Type.Object({ ownerId: Type.Optional(ownerId) }, { ...closed, title: 'TokenRequest' })

/** POST /auth/oidc/start: the page to return to. */
export const oidcStartBody = Type.Object(
  { back: Type.Optional(Type.String({ maxLength: 2000, description: 'The path to return to. Default: /.' })), stay },
  { ...closed, title: 'StartOidcRequest' },
)

// Eight letters, with room for separators and spaces that users type.
const userCode = Type.String({ minLength: 8, maxLength: 20, description: 'The code that the program shows.' })

/** POST /auth/device/show and POST /auth/device/deny: the code that a program shows. */
export const userCodeBody = Type.Object({ userCode }, { ...closed, title: 'UserCodeRequest' })

/** POST /auth/device/approve: the owner that the program's key will act for. */
export const deviceApprovalBody = Type.Object({ userCode, ownerId }, { ...closed, title: 'ApproveDeviceRequest' })

import { Type } from 'typebox'
import { limits } from '../limits.ts'

const email = Type.String({ minLength: 3, maxLength: limits.emailChars, description: 'An email address.' })
const password = Type.String({ minLength: 1, maxLength: limits.passwordChars })
const closed = { additionalProperties: false } as const

/** POST /auth/sign-in. */
export const signInBody = Type.Object({ email, password, stay: Type.Optional(Type.Boolean()) }, closed)

/** POST /auth/setup: the fragment of the setup link, and the first administrator. */
export const setupBody = Type.Object(
  {
    link: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ minLength: 1, maxLength: limits.personNameChars }),
    email,
    password,
  },
  closed,
)

/** POST /auth/password. */
export const passwordBody = Type.Object({ current: password, password }, closed)

/** POST /auth/totp and DELETE /auth/totp. */
export const ownPasswordBody = Type.Object({ current: password }, closed)

/** DELETE /auth/account: users without a password must have signed in recently. */
export const accountDeletionBody = Type.Object({ current: Type.Optional(password) }, closed)

/** PATCH /auth/account: a new email address needs the password, or a recent sign-in of users without one. */
export const profileBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: limits.personNameChars })),
    email: Type.Optional(email),
    current: Type.Optional(password),
  },
  closed,
)

/** POST /auth/second-factor and POST /auth/totp/confirm: six digits, or a recovery code. */
export const codeBody = Type.Object({ code: Type.String({ minLength: 6, maxLength: 40 }) }, closed)

// Browsers send the JSON of the WebAuthn standard; the code that verifies it also checks its structure.
const webauthnResponse = Type.Record(Type.String(), Type.Unknown())

/** POST /auth/passkeys/confirm. */
export const passkeyBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: limits.keyNameChars }), response: webauthnResponse },
  closed,
)

/** PATCH /auth/passkeys/:id. */
export const passkeyNameBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: limits.keyNameChars }) },
  closed,
)

/** POST /auth/passkeys/sign-in. */
export const passkeySignInBody = Type.Object(
  { response: webauthnResponse, stay: Type.Optional(Type.Boolean()) },
  closed,
)

/** POST /auth/token. */
export const tokenBody = Type.Object({ ownerId: Type.Optional(Type.String({ maxLength: 24 })) }, closed)

/** POST /auth/oidc/start: the page to return to. */
export const oidcStartBody = Type.Object(
  { back: Type.Optional(Type.String({ maxLength: 2000 })), stay: Type.Optional(Type.Boolean()) },
  closed,
)

// Eight letters, with room for separators and spaces that users type.
const userCode = Type.String({ minLength: 8, maxLength: 20 })

/** POST /auth/device/show and POST /auth/device/deny: the code that a program shows. */
export const userCodeBody = Type.Object({ userCode }, closed)

/** POST /auth/device/approve: the owner that the program's key will act for. */
export const deviceApprovalBody = Type.Object({ userCode, ownerId: Type.String({ maxLength: 24 }) }, closed)

import { Type } from 'typebox'
import { scopes } from '../../scopes.ts'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from '../common.ts'

const closed = { additionalProperties: false } as const

/** What an authenticator app needs: the secret for typing, and a URI for a QR code. */
export const TotpEnrolmentView = Type.Object(
  { secret: Type.String(), uri: Type.String({ description: 'An `otpauth:` URI.' }) },
  { ...closed, title: 'TotpEnrolment' },
)

/** Codes that replace the app; each works once. */
export const RecoveryCodesView = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown only in this answer.' }) },
  { ...closed, title: 'RecoveryCodes' },
)

/** A passkey in the list of its user. */
export const PasskeyView = Type.Object(
  { id: ObjectIdSchema, name: Type.String(), createdAt: Timestamp, lastUsedAt: NullableTimestamp },
  { ...closed, title: 'Passkey' },
)

/** All passkeys of a user. */
export const PasskeyListView = Type.Object({ data: Type.Array(PasskeyView) }, { ...closed, title: 'PasskeyList' })

/** Options for the browser, in the JSON of the WebAuthn standard. */
export const PasskeyOptionsView = Type.Object(
  { challenge: Type.String({ description: 'Used once.' }) },
  {
    additionalProperties: true,
    title: 'PasskeyOptions',
    description: 'Options for `navigator.credentials`, in the JSON format of WebAuthn.',
  },
)

/** Where a sign-in at the identity provider continues. */
export const OidcStartView = Type.Object(
  { url: Type.String({ description: 'The page of the identity provider to open.' }) },
  { ...closed, title: 'OidcStart' },
)

/** A program that waits for approval, as shown to the user who decides. */
export const WaitingDeviceView = Type.Object(
  {
    name: Type.String({ description: 'The name the program gave itself.' }),
    address: Type.String({ description: 'The IP address it asks from.' }),
    isSameNetwork: Type.Boolean({ description: 'Whether the user is on the same network.' }),
    requestedAt: Timestamp,
    expiresAt: Timestamp,
    scopes: Type.Array(Type.Enum(scopes)),
    owner: Type.Object(
      { id: ObjectIdSchema, name: Type.String() },
      { ...closed, description: 'The owner its key would act for.' },
    ),
    mayApprove: Type.Boolean({ description: 'Whether the user may create keys for that owner.' }),
  },
  { ...closed, title: 'WaitingDevice' },
)

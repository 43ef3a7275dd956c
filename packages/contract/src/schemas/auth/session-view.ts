import { ownerRoles } from '@lathe/domain'
import { Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from '../common.ts'

const closed = { additionalProperties: false } as const

/** The roles of a user in a team. */
export const RoleView = Type.Enum([...ownerRoles])

/** An owner that a user may act for: the user, or one of the user's teams. */
export const ActableOwnerView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String(),
    kind: Type.Enum(['person', 'team', 'anonymous']),
    role: RoleView,
  },
  { ...closed, title: 'ActableOwner' },
)

/** What a page learns about its session when it opens. */
export const SessionView = Type.Object(
  {
    mode: Type.Enum(['open', 'proxy', 'accounts'], { description: 'The setting ACCOUNTS_MODE.' }),
    setupNeeded: Type.Boolean({ description: 'Whether the first administrator is still missing.' }),
    signedIn: Type.Boolean(),
    user: Type.Optional(
      Type.Object(
        {
          id: ObjectIdSchema,
          name: Type.String(),
          email: Type.String(),
          isAdmin: Type.Boolean(),
          hasPassword: Type.Boolean(),
          hasTotp: Type.Boolean({ description: 'Whether signing in with the password requires a code.' }),
          mayChangeEmail: Type.Boolean(),
        },
        { ...closed, description: 'Absent if nobody is signed in.' },
      ),
    ),
    owner: Type.Optional(ActableOwnerView),
    owners: Type.Array(ActableOwnerView, { description: 'The owners that the user may act for.' }),
    methods: Type.Object(
      {
        password: Type.Boolean(),
        passkey: Type.Boolean(),
        oidc: Type.Optional(Type.Object({ name: Type.String() }, closed)),
      },
      { ...closed, description: 'The ways to sign in. `oidc` is the identity provider, if there is one.' },
    ),
    mails: Type.Boolean({ description: 'Whether invitations are mailed.' }),
    announcement: Type.Optional(Type.String({ description: 'A message from the administrators to all users.' })),
  },
  { ...closed, title: 'Session' },
)

/** The answer to a right password if a code is needed as well. */
export const SecondFactorNeededView = Type.Object(
  { secondFactor: Type.Literal('totp') },
  { ...closed, title: 'SecondFactorNeeded' },
)

/** A bearer token for the API. */
export const SessionTokenView = Type.Object(
  { token: Type.String({ description: 'Valid for 10 minutes, as `Authorization: Bearer`.' }), expiresAt: Timestamp },
  { ...closed, title: 'SessionToken' },
)

/** A session in the list of its user. */
export const OpenSessionView = Type.Object(
  {
    id: ObjectIdSchema,
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    address: Type.String({ description: 'The IP address it was opened from.' }),
    userAgent: Type.String(),
  },
  { ...closed, title: 'OpenSession' },
)

/** All sessions of a user. */
export const OpenSessionListView = Type.Object(
  { data: Type.Array(OpenSessionView) },
  { ...closed, title: 'OpenSessionList' },
)

import { ownerRoles } from '@lathe/domain'
import { Type } from 'typebox'
import { limits } from '../limits.ts'

const closed = { additionalProperties: false } as const
const role = Type.Enum([...ownerRoles])
const keepKeys = Type.Optional(Type.Boolean())
const link = Type.String({ minLength: 1, maxLength: 100 })
const email = Type.String({ minLength: 3, maxLength: limits.emailChars })

/** POST /auth/teams and PATCH /auth/teams/:id. */
export const teamBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: limits.teamNameChars }) }, closed)

/** POST /auth/owner. */
export const activeOwnerBody = Type.Object({ ownerId: Type.String({ maxLength: 24 }) }, closed)

/** PATCH /auth/teams/:id/members/:userId. */
export const memberBody = Type.Object({ role, keepKeys }, closed)

/** DELETE /auth/teams/:id/members/:userId. */
export const memberRemovalBody = Type.Object({ keepKeys }, closed)

/** POST /auth/teams/:id/invitations. */
export const invitationBody = Type.Object({ role: Type.Optional(role), email: Type.Optional(email) }, closed)

/** POST /auth/invitations/show: the fragment of the invitation link. */
export const invitationLinkBody = Type.Object({ link }, closed)

/** POST /auth/invitations/accept: the link, and optionally the data of a new account. */
export const acceptanceBody = Type.Object(
  {
    link,
    person: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: limits.personNameChars }),
          email,
          password: Type.String({ minLength: 1, maxLength: limits.passwordChars }),
        },
        closed,
      ),
    ),
  },
  closed,
)

import { ownerRoles } from '@lathe/domain'
import { Type } from 'typebox'
import { limits } from '../limits.ts'

const closed = { additionalProperties: false } as const
const role = Type.Enum([...ownerRoles])
const keepKeys = Type.Optional(
  Type.Boolean({ description: 'Keep API keys that the member created for the team. Default: false.' }),
)
const link = Type.String({ minLength: 1, maxLength: 100, description: 'The fragment of the invitation link.' })
const email = Type.String({ minLength: 3, maxLength: limits.emailChars })

/** POST /auth/teams and PATCH /auth/teams/:id. */
export const teamBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: limits.teamNameChars }) },
  { ...closed, title: 'TeamRequest' },
)

/** POST /auth/owner. */
export const activeOwnerBody = Type.Object(
  { ownerId: Type.String({ maxLength: 24, description: 'The id of the user or of a team.' }) },
  { ...closed, title: 'ActiveOwnerRequest' },
)

/** PATCH /auth/teams/:id/members/:userId. */
export const memberBody = Type.Object({ role, keepKeys }, { ...closed, title: 'UpdateMemberRequest' })

/** DELETE /auth/teams/:id/members/:userId. */
export const memberRemovalBody = Type.Object({ keepKeys }, { ...closed, title: 'RemoveMemberRequest' })

/** POST /auth/teams/:id/invitations. */
export const invitationBody = Type.Object(
  {
    role: Type.Optional(role),
    email: Type.Optional({ ...email, description: 'Only the account with this address can accept the invitation.' }),
  },
  { ...closed, title: 'CreateInvitationRequest' },
)

/** POST /auth/invitations/show: the fragment of the invitation link. */
export const invitationLinkBody = Type.Object({ link }, { ...closed, title: 'InvitationLinkRequest' })

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
  { ...closed, title: 'AcceptInvitationRequest' },
)

import { Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from '../common.ts'
import { ActableOwnerView, RoleView } from './session-view.ts'

const closed = { additionalProperties: false } as const
const revokedKeys = Type.Integer({ minimum: 0, description: 'How many keys of the member were revoked.' })
const email = Type.Union([Type.String(), Type.Null()])

/** A team, as one of its members sees it. */
export const TeamView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String(),
    role: RoleView,
    members: Type.Integer({ minimum: 1 }),
    createdAt: Timestamp,
  },
  { ...closed, title: 'Team' },
)

/** All teams of a user. */
export const TeamListView = Type.Object({ data: Type.Array(TeamView) }, { ...closed, title: 'TeamList' })

/** A new team is an owner that its creator may act for. */
export const NewTeamView = ActableOwnerView

/** A member of a team. */
export const MemberView = Type.Object(
  { id: ObjectIdSchema, name: Type.String(), email, role: RoleView, joinedAt: Timestamp },
  { ...closed, title: 'Member' },
)

/** All members of a team. */
export const MemberListView = Type.Object({ data: Type.Array(MemberView) }, { ...closed, title: 'MemberList' })

/** What a change did to a member. */
export const MemberChangeView = Type.Object(
  { id: ObjectIdSchema, role: RoleView, revokedKeys },
  { ...closed, title: 'MemberChange' },
)

/** What the removal of a member did. */
export const MemberRemovalView = Type.Object({ id: ObjectIdSchema, revokedKeys }, { ...closed, title: 'MemberRemoval' })

const invitation = {
  id: ObjectIdSchema,
  role: RoleView,
  email,
  inviter: Type.String({ description: 'The name of the inviting user.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

/** All open invitations of a team. */
export const InvitationListView = Type.Object(
  { data: Type.Array(Type.Object(invitation, { ...closed, title: 'Invitation' })) },
  { ...closed, title: 'InvitationList' },
)

/** A new invitation with its link. */
export const NewInvitationView = Type.Object(
  {
    ...invitation,
    url: Type.String({ description: 'The link, whose fragment is the secret. Shown only in this answer.' }),
    mail: Type.Enum(['sent', 'failed', 'limited', 'none'], {
      description: 'Whether a link was mailed. `limited`: the address has received enough invitations today.',
    }),
  },
  { ...closed, title: 'NewInvitation' },
)

/** An invitation, as shown to the person with the link. */
export const InvitationOfferView = Type.Object(
  {
    team: Type.String({ description: 'The name of the team.' }),
    role: RoleView,
    inviter: Type.String(),
    email,
    expiresAt: Timestamp,
    createsAccount: Type.Boolean({ description: 'Whether people without an account can create one with the link.' }),
  },
  { ...closed, title: 'InvitationOffer' },
)

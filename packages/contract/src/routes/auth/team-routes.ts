import { Type } from 'typebox'
import { deviceApprovalBody, emptyBody, userCodeBody } from '../../bodies/auth-bodies.ts'
import {
  acceptanceBody,
  activeOwnerBody,
  invitationBody,
  invitationLinkBody,
  memberBody,
  memberRemovalBody,
  teamBody,
} from '../../bodies/team-bodies.ts'
import { WaitingDeviceView } from '../../schemas/auth/credential-view.ts'
import { SessionView } from '../../schemas/auth/session-view.ts'
import {
  InvitationListView,
  InvitationOfferView,
  MemberChangeView,
  MemberListView,
  MemberRemovalView,
  NewInvitationView,
  NewTeamView,
  TeamListView,
} from '../../schemas/auth/team-view.ts'
import { ObjectIdParameter } from '../../schemas/common.ts'
import { type AuthRoute, answer, authErrorsFor, done } from './auth-route.ts'

const team = { tag: 'teams', access: 'session' } as const
const device = { tag: 'devices', access: 'session' } as const
const params = Type.Object({ id: ObjectIdParameter })
const memberParams = Type.Object({ id: ObjectIdParameter, userId: ObjectIdParameter })
const invitationParams = Type.Object({ id: ObjectIdParameter, invitationId: ObjectIdParameter })
const keepKeys =
  'API keys that they created for the team are revoked if they may no longer create them, unless `keepKeys` is true.'

/** Teams, their members and invitations. */
export const teamRoutes = {
  setActiveOwner: {
    ...team,
    method: 'POST',
    path: '/auth/owner',
    operationId: 'setActiveOwner',
    summary: 'Choose the owner to act for',
    description: 'Tokens of this session act for this owner unless they name another: the user, or one of their teams.',
    body: activeOwnerBody,
    responses: { 200: answer('The session with the change.', SessionView), ...authErrorsFor(401) },
  },
  listTeams: {
    ...team,
    method: 'GET',
    path: '/auth/teams',
    operationId: 'listTeams',
    summary: 'List teams',
    description: 'The teams of the user, by name.',
    responses: { 200: answer('The teams.', TeamListView), ...authErrorsFor(401) },
  },
  createTeam: {
    ...team,
    method: 'POST',
    path: '/auth/teams',
    operationId: 'createTeam',
    summary: 'Create a team',
    description: 'The user becomes its owner.',
    body: teamBody,
    responses: { 201: answer('The team.', NewTeamView), ...authErrorsFor(401) },
  },
  renameTeam: {
    ...team,
    method: 'PATCH',
    path: '/auth/teams/{id}',
    operationId: 'renameTeam',
    summary: 'Rename a team',
    description: 'For owners and admins of the team.',
    params,
    body: teamBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  deleteTeam: {
    ...team,
    method: 'DELETE',
    path: '/auth/teams/{id}',
    operationId: 'deleteTeam',
    summary: 'Delete a team',
    description: 'For owners of the team. Refused while it has open tasks.',
    params,
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  listMembers: {
    ...team,
    method: 'GET',
    path: '/auth/teams/{id}/members',
    operationId: 'listMembers',
    summary: 'List members',
    description: 'For all members of the team.',
    params,
    responses: { 200: answer('The members.', MemberListView), ...authErrorsFor(401, 404) },
  },
  updateMember: {
    ...team,
    method: 'PATCH',
    path: '/auth/teams/{id}/members/{userId}',
    operationId: 'updateMember',
    summary: 'Change the role of a member',
    description: `For owners and admins of the team; only owners change owners. ${keepKeys}`,
    params: memberParams,
    body: memberBody,
    responses: { 200: answer('What has changed.', MemberChangeView), ...authErrorsFor(401, 404) },
  },
  removeMember: {
    ...team,
    method: 'DELETE',
    path: '/auth/teams/{id}/members/{userId}',
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: `For owners and admins of the team; members leave by removing themselves. ${keepKeys}`,
    params: memberParams,
    body: memberRemovalBody,
    responses: { 200: answer('What has changed.', MemberRemovalView), ...authErrorsFor(401, 404) },
  },
  listInvitations: {
    ...team,
    method: 'GET',
    path: '/auth/teams/{id}/invitations',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description: 'For owners and admins of the team: the invitations that nobody has accepted yet.',
    params,
    responses: { 200: answer('The invitations.', InvitationListView), ...authErrorsFor(401, 404) },
  },
  createInvitation: {
    ...team,
    method: 'POST',
    path: '/auth/teams/{id}/invitations',
    operationId: 'createInvitation',
    summary: 'Invite somebody',
    description:
      'For owners and admins of the team. Returns a link that one person can use, with `email` only for the account with this address. If there is a mail server, another link is mailed to it.',
    params,
    body: invitationBody,
    responses: { 201: answer('The invitation with its link.', NewInvitationView), ...authErrorsFor(401, 404) },
  },
  revokeInvitation: {
    ...team,
    method: 'DELETE',
    path: '/auth/teams/{id}/invitations/{invitationId}',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'For owners and admins of the team. Its link stops working.',
    params: invitationParams,
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  showInvitation: {
    tag: 'teams',
    access: 'public',
    method: 'POST',
    path: '/auth/invitations/show',
    operationId: 'showInvitation',
    summary: 'Show an invitation',
    description: 'For anyone with the link, whose fragment is `link`.',
    body: invitationLinkBody,
    responses: { 200: answer('The invitation.', InvitationOfferView), ...authErrorsFor(404) },
  },
  acceptInvitation: {
    tag: 'teams',
    access: 'optional',
    method: 'POST',
    path: '/auth/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'The signed-in user joins the team. With `person`, and nobody signed in, an account is created and signed in, if the invitation may create accounts (`INVITED_ACCOUNTS`).',
    body: acceptanceBody,
    responses: {
      200: answer('The user has joined.', SessionView),
      201: answer('The account was created and has joined.', SessionView),
      ...authErrorsFor(401, 404),
    },
  },
} as const satisfies Record<string, AuthRoute>

/** Programs that ask for an API key: the user decides. */
export const deviceApprovalRoutes = {
  showDevice: {
    ...device,
    method: 'POST',
    path: '/auth/device/show',
    operationId: 'showDevice',
    summary: 'Show a program that asks for a key',
    description: 'By the code that the program shows. Wrong codes count as failed attempts to sign in.',
    body: userCodeBody,
    responses: { 200: answer('The program.', WaitingDeviceView), ...authErrorsFor(401, 404) },
  },
  approveDevice: {
    ...device,
    method: 'POST',
    path: '/auth/device/approve',
    operationId: 'approveDevice',
    summary: 'Approve a program',
    description:
      'The program gets an API key that acts for the owner. Needs a sign-in within the last 10 minutes, or `POST /auth/confirm`.',
    body: deviceApprovalBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  denyDevice: {
    ...device,
    method: 'POST',
    path: '/auth/device/deny',
    operationId: 'denyDevice',
    summary: 'Deny a program',
    description: 'The program gets no key.',
    body: userCodeBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
} as const satisfies Record<string, AuthRoute>

import { Type } from 'typebox'
import { accountChangeBody, announcementBody, disabledFormatBody, newAccountBody } from '../../bodies/admin-bodies.ts'
import { emptyBody } from '../../bodies/auth-bodies.ts'
import { accountsQuery } from '../../query/queries.ts'
import {
  InstanceAccountPageView,
  InstanceAccountView,
  InstanceView,
  NewAccountView,
  NewDisabledFormatView,
} from '../../schemas/auth/admin-view.ts'
import { ObjectIdParameter } from '../../schemas/common.ts'
import { type AuthRoute, answer, authErrorsFor, done } from './auth-route.ts'

const admin = { tag: 'administration', access: 'session' } as const
const params = Type.Object({ id: ObjectIdParameter })

/** What administrators of the instance see and change; all others get 403. */
export const adminRoutes = {
  listInstanceAccounts: {
    ...admin,
    method: 'GET',
    path: '/auth/admin/accounts',
    operationId: 'listInstanceAccounts',
    summary: 'List accounts',
    description: 'Users and teams, newest first, 50 on a page. `search` is a part of a name or an email address.',
    query: accountsQuery.schema,
    responses: { 200: answer('A page of accounts.', InstanceAccountPageView), ...authErrorsFor(401) },
  },
  createInstanceAccount: {
    ...admin,
    method: 'POST',
    path: '/auth/admin/accounts',
    operationId: 'createInstanceAccount',
    summary: 'Create an account',
    description: 'Adds a user with a password that is only shown in this response. With `ACCOUNTS_MODE=accounts`.',
    body: newAccountBody,
    responses: { 201: answer('The account with its password.', NewAccountView), ...authErrorsFor(401) },
  },
  updateInstanceAccount: {
    ...admin,
    method: 'PATCH',
    path: '/auth/admin/accounts/{id}',
    operationId: 'updateInstanceAccount',
    summary: 'Change an account',
    description:
      'Suspends and resumes a user or team, changes plans, and makes users administrators. A suspension takes effect within 5 seconds. The last administrator stays.',
    params,
    body: accountChangeBody,
    responses: { 200: answer('The account.', InstanceAccountView), ...authErrorsFor(401, 404) },
  },
  deleteInstanceAccount: {
    ...admin,
    method: 'DELETE',
    path: '/auth/admin/accounts/{id}',
    operationId: 'deleteInstanceAccount',
    summary: 'Delete an account',
    description:
      'Deletes a user or a team with everything it owns. Refused if a team would be left without an owner, and for the last administrator.',
    params,
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  showInstance: {
    ...admin,
    method: 'GET',
    path: '/auth/admin/instance',
    operationId: 'showInstance',
    summary: 'Show the instance',
    description: 'Its workers, engines and queues, the announcement, and disabled formats.',
    responses: { 200: answer('The instance.', InstanceView), ...authErrorsFor(401) },
  },
  setAnnouncement: {
    ...admin,
    method: 'POST',
    path: '/auth/admin/announcement',
    operationId: 'setAnnouncement',
    summary: 'Set the announcement',
    description: 'A message to all users; null removes it.',
    body: announcementBody,
    responses: { 204: done, ...authErrorsFor(401) },
  },
  disableFormat: {
    ...admin,
    method: 'POST',
    path: '/auth/admin/disabled-formats',
    operationId: 'disableFormat',
    summary: 'Disable a format',
    description:
      'Disables a format as input or output, or a conversion; a missing field means any format. Takes effect everywhere within 5 seconds.',
    body: disabledFormatBody,
    responses: { 201: answer('What is disabled.', NewDisabledFormatView), ...authErrorsFor(401) },
  },
  enableFormat: {
    ...admin,
    method: 'DELETE',
    path: '/auth/admin/disabled-formats/{id}',
    operationId: 'enableFormat',
    summary: 'Enable a format again',
    description: 'Takes effect everywhere within 5 seconds.',
    params,
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
} as const satisfies Record<string, AuthRoute>

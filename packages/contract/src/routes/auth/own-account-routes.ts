import { Type } from 'typebox'
import {
  accountDeletionBody,
  codeBody,
  confirmationBody,
  emptyBody,
  ownPasswordBody,
  passkeyBody,
  passkeyNameBody,
  passwordBody,
  profileBody,
} from '../../bodies/auth-bodies.ts'
import {
  PasskeyListView,
  PasskeyOptionsView,
  PasskeyView,
  RecoveryCodesView,
  TotpEnrolmentView,
} from '../../schemas/auth/credential-view.ts'
import { SessionView } from '../../schemas/auth/session-view.ts'
import { ObjectIdParameter } from '../../schemas/common.ts'
import { type AuthRoute, answer, authErrorsFor, done } from './auth-route.ts'

const profile = { tag: 'profile', access: 'session' } as const
const totp = { tag: 'second-factor', access: 'session' } as const
const passkeys = { tag: 'passkeys', access: 'session' } as const
const params = Type.Object({ id: ObjectIdParameter })

/** The account of the signed-in user. */
export const ownAccountRoutes = {
  updateProfile: {
    ...profile,
    method: 'PATCH',
    path: '/auth/account',
    operationId: 'updateProfile',
    summary: 'Change name and email address',
    description:
      'A new email address needs the password in `current`, or, without a password, a sign-in within the last 10 minutes. The identity provider may forbid it.',
    body: profileBody,
    responses: { 200: answer('The session with the changes.', SessionView), ...authErrorsFor(401, 404) },
  },
  deleteOwnAccount: {
    ...profile,
    method: 'DELETE',
    path: '/auth/account',
    operationId: 'deleteOwnAccount',
    summary: 'Delete the account',
    description:
      'Deletes the user and everything they own. Needs the password in `current`, or, without a password, a sign-in within the last 10 minutes.',
    body: accountDeletionBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  confirmIdentity: {
    ...profile,
    method: 'POST',
    path: '/auth/confirm',
    operationId: 'confirmIdentity',
    summary: 'Confirm who is at the page',
    description:
      'Creating API keys and approving programs needs a sign-in or a confirmation within the last 10 minutes. Needs the password in `current`, or, without a password, a sign-in within the last 10 minutes.',
    body: confirmationBody,
    responses: { 204: done, ...authErrorsFor(401) },
  },
  changePassword: {
    ...profile,
    method: 'POST',
    path: '/auth/password',
    operationId: 'changePassword',
    summary: 'Change the password',
    description:
      'Ends the other sessions of the user and sets a new cookie. API keys continue to work unless `revokeKeys` is true.',
    body: passwordBody,
    responses: { 204: done, ...authErrorsFor(401) },
  },
  startTotp: {
    ...totp,
    method: 'POST',
    path: '/auth/totp',
    operationId: 'startTotp',
    summary: 'Set up the second factor',
    description: 'Returns a new secret. No code is required until one has confirmed it.',
    body: ownPasswordBody,
    responses: { 200: answer('The secret.', TotpEnrolmentView), ...authErrorsFor(401) },
  },
  confirmTotp: {
    ...totp,
    method: 'POST',
    path: '/auth/totp/confirm',
    operationId: 'confirmTotp',
    summary: 'Confirm the second factor',
    description: 'From now on, signing in with the password requires a code.',
    body: codeBody,
    responses: { 200: answer('The recovery codes.', RecoveryCodesView), ...authErrorsFor(401) },
  },
  removeTotp: {
    ...totp,
    method: 'DELETE',
    path: '/auth/totp',
    operationId: 'removeTotp',
    summary: 'Remove the second factor',
    description: 'Needs the password.',
    body: ownPasswordBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
  listPasskeys: {
    ...passkeys,
    method: 'GET',
    path: '/auth/passkeys',
    operationId: 'listPasskeys',
    summary: 'List passkeys',
    description: 'All passkeys of the user.',
    responses: { 200: answer('The passkeys.', PasskeyListView), ...authErrorsFor(401) },
  },
  startPasskey: {
    ...passkeys,
    method: 'POST',
    path: '/auth/passkeys/options',
    operationId: 'startPasskey',
    summary: 'Start to add a passkey',
    description: 'Returns options for `navigator.credentials.create`. Needs the password.',
    body: ownPasswordBody,
    responses: { 200: answer('The options.', PasskeyOptionsView), ...authErrorsFor(401) },
  },
  addPasskey: {
    ...passkeys,
    method: 'POST',
    path: '/auth/passkeys/confirm',
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description: '`response` is the answer of the browser, as JSON of the WebAuthn standard.',
    body: passkeyBody,
    responses: { 201: answer('The passkey.', PasskeyView), ...authErrorsFor(401) },
  },
  renamePasskey: {
    ...passkeys,
    method: 'PATCH',
    path: '/auth/passkeys/{id}',
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Changes the name in the list.',
    params,
    body: passkeyNameBody,
    responses: { 200: answer('The passkey.', PasskeyView), ...authErrorsFor(401, 404) },
  },
  removePasskey: {
    ...passkeys,
    method: 'DELETE',
    path: '/auth/passkeys/{id}',
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description: 'The passkey can no longer sign in.',
    params,
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
} as const satisfies Record<string, AuthRoute>

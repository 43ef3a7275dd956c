import { Type } from 'typebox'
import { emptyBody, tokenBody } from '../../bodies/auth-bodies.ts'
import { OpenSessionListView, SessionTokenView, SessionView } from '../../schemas/auth/session-view.ts'
import { ObjectIdParameter } from '../../schemas/common.ts'
import { type AuthRoute, answer, authErrorsFor, done } from './auth-route.ts'

const tag = 'session'

/** The session of a browser. */
export const sessionRoutes = {
  showSession: {
    tag,
    access: 'optional',
    method: 'GET',
    path: '/auth/session',
    operationId: 'showSession',
    summary: 'Show the session',
    description: 'Who is signed in, for whom they may act, and how one can sign in. Nobody needs to be signed in.',
    responses: { 200: answer('The session.', SessionView), ...authErrorsFor() },
  },
  createSessionToken: {
    tag,
    access: 'optional',
    method: 'POST',
    path: '/auth/token',
    operationId: 'createSessionToken',
    summary: 'Create a token for the API',
    description:
      'Returns a bearer token for `/v1` that acts for the owner. Without `ownerId` it acts for the owner that the session has chosen. With `ACCOUNTS_MODE=open` or `proxy`, a browser without a session gets one.',
    body: tokenBody,
    responses: { 200: answer('The token.', SessionTokenView), ...authErrorsFor(401) },
  },
  signOut: {
    tag,
    access: 'session',
    method: 'POST',
    path: '/auth/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session and its tokens, and removes the cookie.',
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401) },
  },
  listSessions: {
    tag,
    access: 'session',
    method: 'GET',
    path: '/auth/sessions',
    operationId: 'listSessions',
    summary: 'List sessions',
    description: 'All sessions of the user.',
    responses: { 200: answer('The sessions.', OpenSessionListView), ...authErrorsFor(401) },
  },
  endSession: {
    tag,
    access: 'session',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Ends a session of the user. Its tokens stop working within 5 seconds.',
    params: Type.Object({ id: ObjectIdParameter }),
    body: emptyBody,
    responses: { 204: done, ...authErrorsFor(401, 404) },
  },
} as const satisfies Record<string, AuthRoute>

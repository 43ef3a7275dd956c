import { Type } from 'typebox'
import {
  codeBody,
  emptyBody,
  oidcStartBody,
  passkeySignInBody,
  setupBody,
  signInBody,
} from '../../bodies/auth-bodies.ts'
import { OidcStartView, PasskeyOptionsView } from '../../schemas/auth/credential-view.ts'
import { SecondFactorNeededView, SessionView } from '../../schemas/auth/session-view.ts'
import { type AuthRoute, answer, authErrorsFor } from './auth-route.ts'

const open = { tag: 'sign-in', access: 'public' } as const

/** Ways to sign in. Failed attempts are limited per account and per network. */
export const signInRoutes = {
  signIn: {
    ...open,
    method: 'POST',
    path: '/auth/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description:
      'Sets the cookie. `stay` keeps the user signed in for 30 days. If the answer has `secondFactor`, continue with `/auth/second-factor`.',
    body: signInBody,
    responses: {
      200: answer('Signed in, or a code is needed.', Type.Union([SessionView, SecondFactorNeededView])),
      ...authErrorsFor(401),
    },
  },
  confirmSignIn: {
    tag: 'sign-in',
    access: 'session',
    method: 'POST',
    path: '/auth/second-factor',
    operationId: 'confirmSignIn',
    summary: 'Enter the second factor',
    description: 'Completes a sign-in with a code of the authenticator app or a recovery code. Sets a new cookie.',
    body: codeBody,
    responses: { 200: answer('Signed in.', SessionView), ...authErrorsFor(401) },
  },
  createFirstAccount: {
    ...open,
    method: 'POST',
    path: '/auth/setup',
    operationId: 'createFirstAccount',
    summary: 'Create the first administrator',
    description: '`link` is the fragment of the setup link, which the host shows. Sets the cookie.',
    body: setupBody,
    responses: { 201: answer('Created and signed in.', SessionView), ...authErrorsFor(404) },
  },
  startPasskeySignIn: {
    ...open,
    method: 'POST',
    path: '/auth/passkeys/sign-in/options',
    operationId: 'startPasskeySignIn',
    summary: 'Start a sign-in with a passkey',
    description: 'Returns options for `navigator.credentials.get`.',
    body: emptyBody,
    responses: { 200: answer('The options.', PasskeyOptionsView), ...authErrorsFor() },
  },
  signInWithPasskey: {
    ...open,
    method: 'POST',
    path: '/auth/passkeys/sign-in',
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description: '`response` is the answer of the browser, as JSON of the WebAuthn standard. Sets the cookie.',
    body: passkeySignInBody,
    responses: { 200: answer('Signed in.', SessionView), ...authErrorsFor(401) },
  },
  startOidcSignIn: {
    ...open,
    method: 'POST',
    path: '/auth/oidc/start',
    operationId: 'startOidcSignIn',
    summary: 'Start a sign-in at the identity provider',
    description:
      'Returns the page to open. `back` is the path to return to. Exists only if an identity provider is configured (`OIDC_ISSUER`).',
    body: oidcStartBody,
    responses: { 200: answer('The page to open.', OidcStartView), ...authErrorsFor() },
  },
  finishOidcSignIn: {
    ...open,
    method: 'GET',
    path: '/auth/oidc/callback',
    operationId: 'finishOidcSignIn',
    summary: 'Return from the identity provider',
    description:
      'The redirect URI for the identity provider, which adds the parameters of OpenID Connect. Sets the cookie. Redirects to `back`, or to the sign-in page if the sign-in failed.',
    responses: { 302: { description: 'Redirect to a page of the web app.' }, ...withoutAccept(authErrorsFor()) },
  },
} as const satisfies Record<string, AuthRoute>

/** Redirects do not depend on `Accept`. */
function withoutAccept({ 406: _, ...others }: AuthRoute['responses']): AuthRoute['responses'] {
  return others
}

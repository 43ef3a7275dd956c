import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { adminRoutes, disabledFormatRoutes, newAccountRoute } from './admin.ts'
import { deviceRoutes } from './device.ts'
import { invitationRoutes, joinRoutes } from './invitations.ts'
import { memberRoutes } from './members.ts'
import { oidcRoutes } from './oidc.ts'
import { confirmRoute, ownAccountRoute, profileRoute } from './own-account.ts'
import { requireOwnPage } from './own-page.ts'
import { passwordRoute, sessionsRoutes, signOutRoute } from './own-sessions.ts'
import { passkeyRoutes, passkeySignInRoutes } from './passkeys.ts'
import { secondFactorRoute, totpRoutes } from './second-factor.ts'
import { showSessionRoute } from './show-session.ts'
import { setupRoute, signInRoute } from './sign-in.ts'
import { activeOwnerRoute, teamRoutes } from './teams.ts'
import { tokenRoute } from './token.ts'

// Requests carry only names, email addresses and passwords.
const bodyBytes = 16_384

/** All routes under /auth, the only ones that accept a cookie; none with ACCOUNTS_MODE=none. */
export async function authRoutes(app: FastifyInstance, { auth, ...others }: Services): Promise<void> {
  if (!auth) return
  const services = { ...others, auth }
  await app.register(
    async (scope) => {
      requireOwnPage(scope, services.http.publicUrl)
      scope.addHook('onRoute', (route) => {
        route.bodyLimit = bodyBytes
      })
      showSessionRoute(scope, services)
      tokenRoute(scope, services)
      signOutRoute(scope, services)
      sessionsRoutes(scope, services)
      // Without a sign-in there are no teams.
      if (auth.config.mode === 'open') return
      activeOwnerRoute(scope, services)
      teamRoutes(scope, services)
      memberRoutes(scope, services)
      invitationRoutes(scope, services)
      joinRoutes(scope, services)
      adminRoutes(scope, services)
      disabledFormatRoutes(scope, services)
      // Users that a proxy signs in have no password. Everything below is for accounts with their own sign-in.
      if (auth.config.mode !== 'accounts') return
      signInRoute(scope, services)
      newAccountRoute(scope, services)
      setupRoute(scope, services)
      passwordRoute(scope, services)
      ownAccountRoute(scope, services)
      confirmRoute(scope, services)
      profileRoute(scope, services)
      secondFactorRoute(scope, services)
      totpRoutes(scope, services)
      passkeyRoutes(scope, services)
      passkeySignInRoutes(scope, services)
      oidcRoutes(scope, services)
      deviceRoutes(scope, services)
    },
    { prefix: '/auth' },
  )
}

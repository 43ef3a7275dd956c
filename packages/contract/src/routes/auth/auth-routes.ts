import { adminRoutes } from './admin-routes.ts'
import type { AuthRoute } from './auth-route.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { deviceApprovalRoutes, teamRoutes } from './team-routes.ts'

/** Every endpoint under /auth. They are for the web app, and not part of the versioned API. */
export const authRoutes: Readonly<Record<string, AuthRoute>> = {
  ...sessionRoutes,
  ...signInRoutes,
  ...ownAccountRoutes,
  ...teamRoutes,
  ...deviceApprovalRoutes,
  ...adminRoutes,
}

import { accountRoutes } from './account-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { deviceRoutes } from './device-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { jobTokenRoutes } from './job-token-routes.ts'
import { operationRoutes } from './operation-routes.ts'
import { presetRoutes } from './preset-routes.ts'
import { queryRoutes } from './query-routes.ts'
import type { Route } from './route.ts'
import { serviceRoutes } from './service-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

const table = {
  ...queryRoutes,
  ...taskRoutes,
  ...jobRoutes,
  ...jobTokenRoutes,
  ...eventRoutes,
  ...operationRoutes,
  ...fileRoutes,
  ...presetRoutes,
  ...webhookRoutes,
  ...accountRoutes,
  ...auditRoutes,
  ...deviceRoutes,
  ...serviceRoutes,
}

/** The name of an endpoint: its operationId. */
export type RouteName = keyof typeof table

/** Every endpoint of the API. Endpoints that are not in this table do not exist. */
export const routes: Readonly<Record<RouteName, Route>> = table

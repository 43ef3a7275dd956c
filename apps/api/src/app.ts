import { randomUUID } from 'node:crypto'
import { limits } from '@lathe/contract'
import fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { authRoutes } from './auth/auth-routes.ts'
import { answerBrokenRequests } from './broken-request.ts'
import { createCallerCounter } from './caller-counter.ts'
import { handleError } from './error-handler.ts'
import { serveSockets } from './listening/sockets/serve-sockets.ts'
import { requireJsonAccepted } from './plugins/accept.ts'
import { announceTus } from './plugins/announce-tus.ts'
import { authenticate } from './plugins/authentication.ts'
import { readJsonBodies } from './plugins/body-parser.ts'
import { addCors } from './plugins/cors.ts'
import { requireHttps } from './plugins/https.ts'
import { guardAgainstSilence } from './plugins/idle-guard.ts'
import { confineJobTokens } from './plugins/job-tokens.ts'
import { refuseUnknownPaths } from './plugins/known-paths.ts'
import { limitLargeBodies } from './plugins/large-bodies.ts'
import { limitRate } from './plugins/rate-limit.ts'
import { addRequestContext } from './plugins/request-context.ts'
import { traceRequests } from './plugins/tracing.ts'
import { accountRoutes } from './routes/account/account-routes.ts'
import { deviceRoutes } from './routes/device/device-routes.ts'
import { jobEventsRoute, taskEventsRoute } from './routes/events/follow.ts'
import { accountEventsRoute } from './routes/events/follow-account.ts'
import { downloadFileRoutes } from './routes/files/download-file.ts'
import { methodOf } from './routes/files/resumable/tus-headers.ts'
import { showPreviewRoute } from './routes/files/show-preview.ts'
import { uploadRoutes } from './routes/files/upload-routes.ts'
import { createJobRoute } from './routes/jobs/create-job.ts'
import { deleteJobRoute } from './routes/jobs/delete-job.ts'
import { jobTokenRoutes } from './routes/jobs/job-token-routes.ts'
import { listJobsRoute } from './routes/jobs/list-jobs.ts'
import { runJobAgainRoute } from './routes/jobs/run-job-again.ts'
import { showJobRoute } from './routes/jobs/show-job.ts'
import { mcpRoutes } from './routes/mcp/mcp-route.ts'
import { presetRoutes } from './routes/presets/preset-routes.ts'
import { queryFormatsRoutes } from './routes/queries/query-formats.ts'
import { queryOptionsRoutes } from './routes/queries/query-options.ts'
import { queryRouteRoute } from './routes/queries/query-route.ts'
import { healthRoute } from './routes/service/health.ts'
import { readinessRoute } from './routes/service/readiness.ts'
import { referenceRoutes } from './routes/service/reference.ts'
import { cancelTaskRoute } from './routes/tasks/cancel-task.ts'
import { createTaskRoutes } from './routes/tasks/create-task.ts'
import { deleteTaskRoute } from './routes/tasks/delete-task.ts'
import { listTaskFilesRoute } from './routes/tasks/list-task-files.ts'
import { listTasksRoute } from './routes/tasks/list-tasks.ts'
import { runTaskAgainRoute } from './routes/tasks/run-task-again.ts'
import { showTaskRoute } from './routes/tasks/show-task.ts'
import { guideRoutes } from './routes/web/guide-routes.ts'
import { webRoutes } from './routes/web/web-routes.ts'
import { webhookRoutes } from './routes/webhooks/webhook-routes.ts'
import type { Services } from './services.ts'

/** Builds the api: the hooks every request passes, in this order, then the endpoints. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = createServer(services)
  const callers = createCallerCounter(services)
  app.setErrorHandler(handleError)

  addRequestContext(app, services)
  traceRequests(app, services)
  guardAgainstSilence(app, services)
  requireHttps(app, services)
  refuseUnknownPaths(app)
  announceTus(app, services)
  await addCors(app, services)
  requireJsonAccepted(app)
  limitRate(app, { ...services, callers })
  authenticate(app, { ...services, callers })
  confineJobTokens(app, services)
  limitLargeBodies(app)
  readJsonBodies(app)

  queryFormatsRoutes(app, services)
  queryOptionsRoutes(app, services)
  queryRouteRoute(app, services)

  createTaskRoutes(app, services)
  listTasksRoute(app, services)
  showTaskRoute(app, services)
  listTaskFilesRoute(app, services)
  cancelTaskRoute(app, services)
  deleteTaskRoute(app, services)
  runTaskAgainRoute(app, services)

  createJobRoute(app, services)
  listJobsRoute(app, services)
  showJobRoute(app, services)
  deleteJobRoute(app, services)
  runJobAgainRoute(app, services)
  jobTokenRoutes(app, services)

  accountEventsRoute(app, services)
  jobEventsRoute(app, services)
  taskEventsRoute(app, services)
  serveSockets(app, { ...services, callers })

  presetRoutes(app, services)
  webhookRoutes(app, services)
  accountRoutes(app, services)
  mcpRoutes(app, services)

  deviceRoutes(app, services)
  await authRoutes(app, services)

  await uploadRoutes(app, services)
  downloadFileRoutes(app, services)
  showPreviewRoute(app, services)

  healthRoute(app)
  readinessRoute(app, services)
  referenceRoutes(app, services)
  // Separate scopes, because both register the plugin that sends files.
  await app.register((scope) => webRoutes(scope, services))
  await app.register((scope) => guideRoutes(scope, services))

  app.addHook('preClose', async () => {
    services.waiters.stop()
    services.listening.stop()
  })
  return app
}

function createServer({ http, log }: Services): FastifyInstance {
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: http.trustedProxies.length > 0 ? [...http.trustedProxies] : false,
    // The only place before routing. Tus asks servers to heed this header.
    rewriteUrl: (request: FastifyRequest['raw']) => {
      const { url = '/', method, headers } = request
      request.method = methodOf(method, url, headers)
      return url
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenRequests(log),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  } as const
  // The types of servers with and without TLS differ, but we use both in the same way.
  const withTls = http.tls ? { ...options, https: { ...http.tls } } : options
  return fastify(withTls as FastifyServerOptions) as FastifyInstance
}

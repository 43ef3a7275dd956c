import { randomUUID } from 'node:crypto'
import { limits } from '@lathe/contract'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { answerBrokenRequest } from './broken-request.ts'
import { createCallerCounter } from './caller-counter.ts'
import { handleError } from './error-handler.ts'
import { serveSockets } from './listening/sockets/serve-sockets.ts'
import { requireJsonAccepted } from './plugins/accept.ts'
import { authenticate } from './plugins/authentication.ts'
import { readJsonBodies } from './plugins/body-parser.ts'
import { addCors } from './plugins/cors.ts'
import { requireHttps } from './plugins/https.ts'
import { guardAgainstSilence } from './plugins/idle-guard.ts'
import { refuseUnknownPaths } from './plugins/known-paths.ts'
import { limitRate } from './plugins/rate-limit.ts'
import { addRequestContext } from './plugins/request-context.ts'
import { traceRequests } from './plugins/tracing.ts'
import { jobEventsRoute, taskEventsRoute } from './routes/events/follow.ts'
import { downloadFileRoutes } from './routes/files/download-file.ts'
import { uploadFileRoute } from './routes/files/upload-file.ts'
import { createJobRoute } from './routes/jobs/create-job.ts'
import { deleteJobRoute } from './routes/jobs/delete-job.ts'
import { listJobsRoute } from './routes/jobs/list-jobs.ts'
import { showJobRoute } from './routes/jobs/show-job.ts'
import { queryFormatsRoutes } from './routes/queries/query-formats.ts'
import { queryOptionsRoutes } from './routes/queries/query-options.ts'
import { healthRoute } from './routes/service/health.ts'
import { metricsRoute } from './routes/service/metrics.ts'
import { readinessRoute } from './routes/service/readiness.ts'
import { referenceRoutes } from './routes/service/reference.ts'
import { cancelTaskRoute } from './routes/tasks/cancel-task.ts'
import { createTaskRoutes } from './routes/tasks/create-task.ts'
import { deleteTaskRoute } from './routes/tasks/delete-task.ts'
import { listTasksRoute } from './routes/tasks/list-tasks.ts'
import { showTaskRoute } from './routes/tasks/show-task.ts'
import { webhookRoutes } from './routes/webhooks/webhook-routes.ts'
import type { Services } from './services.ts'

/** The api as one reads it: what every request passes, in this order, then the endpoints. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = createServer(services)
  const callers = createCallerCounter(services)
  app.setErrorHandler(handleError)

  addRequestContext(app, services)
  traceRequests(app, services)
  guardAgainstSilence(app, services)
  requireHttps(app, services)
  refuseUnknownPaths(app)
  await addCors(app, services)
  requireJsonAccepted(app)
  limitRate(app, { ...services, callers })
  authenticate(app, { ...services, callers })
  readJsonBodies(app)

  queryFormatsRoutes(app)
  queryOptionsRoutes(app)

  createTaskRoutes(app, services)
  listTasksRoute(app, services)
  showTaskRoute(app, services)
  cancelTaskRoute(app, services)
  deleteTaskRoute(app, services)

  createJobRoute(app, services)
  listJobsRoute(app, services)
  showJobRoute(app, services)
  deleteJobRoute(app, services)

  jobEventsRoute(app, services)
  taskEventsRoute(app, services)
  serveSockets(app, { ...services, callers })

  webhookRoutes(app, services)

  await uploadFileRoute(app, services)
  downloadFileRoutes(app, services)

  healthRoute(app)
  readinessRoute(app, services)
  metricsRoute(app, services)
  await referenceRoutes(app, services)

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
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenRequest,
    // The reference's own route would redirect here, which is one status too many.
    rewriteUrl: ({ url = '/' }: { url?: string }) => url.replace(/^\/docs(?=$|\?)/, '/docs/'),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  } as const
  // The types tell servers with and without TLS apart; what we do with them is the same.
  const withTls = http.tls ? { ...options, https: { ...http.tls } } : options
  return fastify(withTls as FastifyServerOptions) as FastifyInstance
}

import { type Job, parseId, type Task, type TaskFilePage, toSharedJob, toSharedTask } from '@lathe/contract'
import { type Database, findJobOfTask } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathParam } from '../route-config.ts'

/**
 * Limits job tokens: they may read their job on the routes that allow it, and see only what may be shared. Other routes
 * are refused, and other jobs are not found. Runs after authentication.
 */
export function confineJobTokens(app: FastifyInstance, { database }: { readonly database: Database }): void {
  app.addHook('onRequest', async (request) => {
    const onlyJob = request.caller?.onlyJob
    if (onlyJob === undefined) return
    if (!request.routeOptions.config.takesJobTokens) {
      throw new Problem('forbidden', {
        msg: 'A job token can read its job, tasks, events, files and previews, and nothing else.',
      })
    }
    if ((await jobOf(database, request)) !== onlyJob) throw new Problem('not_found')
  })

  app.addHook<Job | Task | TaskFilePage>('preSerialization', async (request, reply, payload) => {
    if (request.caller?.onlyJob === undefined || reply.statusCode >= 400) return payload
    // A page of files shows nothing that a token may not.
    if ('docs' in payload) return payload
    return 'operation' in payload ? toSharedTask(payload) : toSharedJob(payload)
  })
}

async function jobOf({ pool }: Database, request: FastifyRequest): Promise<string | null | undefined> {
  const { jobId } = request.params as { readonly jobId?: string }
  return jobId === undefined
    ? findJobOfTask(pool, parseId(pathParam(request, 'taskId'), 'taskId'))
    : parseId(jobId, 'jobId')
}

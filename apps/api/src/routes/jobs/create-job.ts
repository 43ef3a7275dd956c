import { type JobFacts, parseJob, toJobView } from '@lathe/contract'
import { findJob } from '@lathe/database'
import { ensureJobsWebhook } from '@lathe/events'
import type { FastifyInstance } from 'fastify'
import { createStaged, creatorOf, currentOf, idempotencyOf, toNewTask } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { countTasks } from '../../plugins/rate-limit.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withTaskProgress } from '../../with-progress.ts'
import { isJobOver } from './show-job.ts'

/** POST /v1/process/jobs. */
export function createJobRoute(app: FastifyInstance, services: Services): void {
  const { database, orchestrator, links, ids, clock, sealer, checkAddress, progress } = services
  const view = (job: JobFacts) => toJobView(job, links.at(clock.now()))

  app.route({
    ...endpoint('createJob'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { tag, webhookUrl, tasks } = parseJob(request.body, checkAddress)
      await countTasks(services, reply, caller.ownerId, tasks.length)
      const at = clock.now()
      const id = ids.next(at)
      const drafts = tasks.map((parsed) => ({ id: ids.next(at), parsed }))
      const idempotency = idempotencyOf(request)
      if (webhookUrl !== null) await ensureJobsWebhook(database, services, caller.ownerId)
      const job = {
        id,
        tag,
        tasks: drafts.map((draft) => toNewTask(draft, sealer)),
        ...(webhookUrl !== null && { sealedWebhook: sealer.seal(webhookUrl, id) }),
      }
      const answer = await createStaged(services, drafts, () =>
        orchestrator.createJob(creatorOf(request), job, idempotency),
      )
      const look = (jobId: string) => findJob(database.pool, { ownerId: caller.ownerId, id: jobId, now: clock.now() })
      const current = await currentOf(reply, answer, look)
      const wait = { id: current.id, current, look: () => look(current.id), isOver: isJobOver }
      const record = (await holdAnswer(services, request, reply, wait)) ?? current
      const [shown = record] = await withTaskProgress(progress, [record])
      return reply.code(201).send(view(shown))
    },
  })
}

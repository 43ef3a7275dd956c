import { type Job, type ParsedJob, toJobView } from '@lathe/contract'
import { findJob, type JobRecord } from '@lathe/database'
import type { Answer } from '@lathe/orchestrator'
import { newJobsWebhook } from '@lathe/webhooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createStaged, creatorOf, currentOf, idempotencyOf, toNewTask } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { clientSignal } from '../../http/client-signal.ts'
import { countTasks } from '../../plugins/rate-limit.ts'
import { refuseAnonymous } from '../../refuse-anonymous.ts'
import { refuseDisabled } from '../../refuse-disabled.ts'
import { callerOf } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withTaskProgress } from '../../with-progress.ts'
import { isJobOver } from './show-job.ts'

/** Creates a parsed job and answers with it. */
export async function answerNewJob(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, webhookUrl, tasks }: ParsedJob,
): Promise<FastifyReply> {
  const { orchestrator, ids, clock, sealer } = services
  const { ownerId } = callerOf(request)
  refuseAnonymous(services, request, { tasks, webhookUrl })
  await refuseDisabled(services, request, tasks, ({ name }) => `tasks.${name}`)
  await countTasks(services, reply, ownerId, tasks.length)
  const at = clock.now()
  const id = ids.next(at)
  const drafts = tasks.map((parsed) => ({ id: ids.next(at), parsed }))
  const idempotency = idempotencyOf(request)
  const job = {
    id,
    tag,
    tasks: drafts.map((draft) => toNewTask(draft, sealer)),
    ...(webhookUrl !== null && {
      webhook: { sealedUrl: sealer.seal(webhookUrl, id), ofAllJobs: newJobsWebhook(services, ownerId) },
    }),
  }
  const answer = await createStaged(services, drafts, clientSignal(request, reply), () =>
    orchestrator.createJob(creatorOf(request), job, idempotency),
  )
  return sendJob(services, request, reply, answer)
}

/** Answers with a job that was created now, or by an earlier request with the same idempotency key. */
export async function sendJob(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer<JobRecord>,
): Promise<FastifyReply> {
  const { database, links, clock, progress } = services
  const { ownerId } = callerOf(request)
  const look = (jobId: string) => findJob(database.pool, { ownerId, id: jobId, now: clock.now() })
  const current = await currentOf(reply, answer, look)
  const wait = { id: current.id, current, look: () => look(current.id), isOver: isJobOver }
  const record = (await holdAnswer(services, request, reply, wait)) ?? current
  const [shown = record] = await withTaskProgress(progress, [record])
  return reply.code(201).send(toJobView(shown, links.at(clock.now())) satisfies Job)
}

import { type ParsedTask, toTaskView } from '@lathe/contract'
import { findTask, type TaskRecord } from '@lathe/database'
import { isOpen } from '@lathe/domain'
import type { Answer } from '@lathe/orchestrator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createStaged, creatorOf, currentOf, idempotencyOf, toNewTask } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { clientSignal } from '../../http/client-signal.ts'
import { countTasks } from '../../plugins/rate-limit.ts'
import { refuseAnonymous } from '../../refuse-anonymous.ts'
import { refuseDisabled } from '../../refuse-disabled.ts'
import { callerOf } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withOwnProgress } from '../../with-progress.ts'

/** Creates a parsed task and answers with it. */
export async function answerNewTask(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: ParsedTask,
): Promise<FastifyReply> {
  const { orchestrator, ids, sealer } = services
  refuseAnonymous(services, request, { tasks: [parsed] })
  await refuseDisabled(services, request, [parsed])
  const draft = { id: ids.next(), parsed }
  await countTasks(services, reply, callerOf(request).ownerId, 1)
  const idempotency = idempotencyOf(request)
  const answer = await createStaged(services, [draft], clientSignal(request, reply), () =>
    orchestrator.createTask(creatorOf(request), toNewTask(draft, sealer), idempotency),
  )
  return sendTask(services, request, reply, answer)
}

/** Answers with a task that was created now, or by an earlier request with the same idempotency key. */
export async function sendTask(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer<TaskRecord>,
): Promise<FastifyReply> {
  const { database, links, clock, progress } = services
  const { ownerId } = callerOf(request)
  const look = (id: string) => findTask(database.pool, { ownerId, id, now: clock.now() })
  const current = await currentOf(reply, answer, look)
  const ended = await holdAnswer(services, request, reply, {
    id: current.id,
    current,
    look: () => look(current.id),
    isOver: (task) => !isOpen(task.status),
  })
  const shown = await withOwnProgress(progress, ended ?? current)
  return reply.code(201).send(toTaskView(shown, links.at(clock.now())))
}

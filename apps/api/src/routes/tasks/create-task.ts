import { type OperationRouteName, operationRoutes, parseTask, type TaskFacts, toTaskView } from '@lathe/contract'
import { findTask } from '@lathe/database'
import { isOpen } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { createStaged, creatorOf, currentOf, idempotencyOf, toNewTask } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { countTasks } from '../../plugins/rate-limit.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withOwnProgress } from '../../with-progress.ts'

/** POST /v1/process/{operation}: one endpoint for each operation. */
export function createTaskRoutes(app: FastifyInstance, services: Services): void {
  for (const name of Object.keys(operationRoutes) as OperationRouteName[]) createTaskRoute(app, name, services)
}

function createTaskRoute(app: FastifyInstance, name: OperationRouteName, services: Services): void {
  const { database, orchestrator, links, ids, clock, sealer, progress } = services
  const { operation } = operationRoutes[name]
  const view = (task: TaskFacts) => toTaskView(task, links.at(clock.now()))

  app.route({
    ...endpoint(name),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const draft = { id: ids.next(), parsed: parseTask(operation, request.body) }
      await countTasks(services, reply, caller.ownerId, 1)
      const idempotency = idempotencyOf(request)
      const answer = await createStaged(services, [draft], () =>
        orchestrator.createTask(creatorOf(request), toNewTask(draft, sealer), idempotency),
      )
      const look = (id: string) => findTask(database.pool, { ownerId: caller.ownerId, id, now: clock.now() })
      const current = await currentOf(reply, answer, look)
      const ended = await holdAnswer(services, request, reply, {
        id: current.id,
        current,
        look: () => look(current.id),
        isOver: (task) => !isOpen(task.status),
      })
      return reply.code(201).send(view(await withOwnProgress(progress, ended ?? current)))
    },
  })
}

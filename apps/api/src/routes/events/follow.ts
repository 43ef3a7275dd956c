import { parseAfter, parseId, type RawQuery, toSharedEvent } from '@lathe/contract'
import { type EventPlace, findJobPlace, findOwnTask, findTaskPlace, findTasksOfJob } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createEventStream } from '../../listening/event-stream.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { answerStream } from './answer-stream.ts'

/** GET /v1/process/jobs/{jobId}/events. */
export function jobEventsRoute(app: FastifyInstance, services: Services): void {
  const { database, clock } = services
  app.route({
    ...endpoint('jobEvents'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'jobId'), 'jobId')
      const after = afterOf(request)
      if (!(await findTasksOfJob(database.pool, { ownerId, id, now: clock.now() }))) throw new Problem('not_found')
      return follow(services, request, reply, { after, look: () => findJobPlace(database.pool, id) })
    },
  })
}

/** GET /v1/process/tasks/{taskId}/events. */
export function taskEventsRoute(app: FastifyInstance, services: Services): void {
  const { database, clock } = services
  app.route({
    ...endpoint('taskEvents'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      const after = afterOf(request)
      if (!(await findOwnTask(database.pool, { ownerId, id, now: clock.now() }))) throw new Problem('not_found')
      return follow(services, request, reply, { after, taskId: id, look: () => findTaskPlace(database.pool, id) })
    },
  })
}

/** `Last-Event-ID` is newer than the query: a reader that reconnects sends it to the original URL. */
function afterOf({ headers, query }: FastifyRequest): number {
  const given = headers['last-event-id']
  if (given !== undefined && given !== '') return parseAfter(given, 'Last-Event-ID')
  const { after } = query as RawQuery
  return after === undefined ? 0 : parseAfter(after, 'after')
}

interface Followed {
  readonly after: number
  readonly taskId?: ObjectId
  look(): Promise<EventPlace | undefined>
}

async function follow(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { after, taskId, look }: Followed,
): Promise<FastifyReply> {
  const place = await look()
  if (!place) throw new Problem('not_found')
  // By the HTML standard, 204 tells an EventSource not to reconnect.
  if (place.isOver && after >= place.seq) return reply.code(204).send()
  return answerStream(services, request, reply, (onStalled) =>
    createEventStream({
      hub: services.listening.hub,
      choice: { subjectId: place.subjectId, after: Math.min(after, place.seq), ...(taskId && { taskId }) },
      heartbeatMs: services.http.heartbeatMs,
      look,
      ...(callerOf(request).onlyJob !== undefined && { show: toSharedEvent }),
      onStalled,
    }),
  )
}

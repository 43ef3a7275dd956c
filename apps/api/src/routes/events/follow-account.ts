import { parseMoment, type RawQuery } from '@lathe/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createAccountStream } from '../../listening/account-stream.ts'
import type { EventStream } from '../../listening/event-stream.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { answerStream } from './answer-stream.ts'

/** GET /v1/process/events. */
export function accountEventsRoute(app: FastifyInstance, services: Services): void {
  const { listening, http, clock } = services
  app.route({
    ...endpoint('accountEvents'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const since = sinceOf(request)
      return answerStream(services, request, reply, (onStalled): Promise<EventStream> => {
        const { hub } = listening
        return createAccountStream({ hub, ownerId, since, now: clock.now(), heartbeatMs: http.heartbeatMs, onStalled })
      })
    },
  })
}

/** `Last-Event-ID` is newer than the query: a reader that reconnects sends it to the original URL. */
function sinceOf({ headers, query }: FastifyRequest): Date | undefined {
  const given = headers['last-event-id']
  if (given !== undefined && given !== '') return parseMoment(given, 'Last-Event-ID')
  const { since } = query as RawQuery
  return since === undefined ? undefined : parseMoment(since, 'since')
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'

/** Cuts connections whose request does not arrive: its sender is not slow, but gone or hostile. Handlers may take their time. */
export function guardAgainstSilence(app: FastifyInstance, { http }: Pick<Services, 'http'>): void {
  app.addHook('onRequest', async (request) => setIdleLimit(request, http.idleMs))
  app.addHook('preHandler', async (request) => setIdleLimit(request, 0))
}

/** Ends the connection after so much silence in both directions; 0 never does. */
export function setIdleLimit({ raw }: FastifyRequest, ms: number): void {
  // Without a listener of ours, Node destroys the socket when its time is up.
  if (typeof raw.socket.setTimeout === 'function') raw.socket.setTimeout(ms)
}

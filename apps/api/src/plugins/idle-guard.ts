import type { FastifyInstance, FastifyRequest } from 'fastify'

// A sender that is silent for this long is not slow, it is gone or hostile.
export const idleMs = 30_000

/** Cuts connections whose request does not arrive. Handlers may take their time. */
export function guardAgainstSilence(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => setIdleLimit(request, idleMs))
  app.addHook('preHandler', async (request) => setIdleLimit(request, 0))
}

/** Ends the connection after so much silence in both directions; 0 never does. */
export function setIdleLimit({ raw }: FastifyRequest, ms: number): void {
  // Without a listener of ours, Node destroys the socket when its time is up.
  if (typeof raw.socket.setTimeout === 'function') raw.socket.setTimeout(ms)
}

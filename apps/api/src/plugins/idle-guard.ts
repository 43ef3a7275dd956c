import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'

/** Cuts connections whose request does not arrive: its sender is not slow, but gone or hostile. Handlers may take their time. */
export function guardAgainstSilence(app: FastifyInstance, { http }: Pick<Services, 'http'>): void {
  app.addHook('onRequest', async (request) => {
    setIdleLimit(request, http.idleMs)
    if (hasBody(request)) setLeastRate(request, http)
  })
  app.addHook('preHandler', async (request) => setIdleLimit(request, 0))
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Cuts a sender that drips: never silent for long, and below the least rate over a whole window. What waits here
 * to be read is our own slowness, and not counted against it.
 */
function setLeastRate({ raw }: FastifyRequest, { minRate, rateWindowMs }: Services['http']): void {
  const { socket } = raw
  // A request that was not sent over a connection has no rate.
  if (typeof socket.bytesRead !== 'number') return
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const came = socket.bytesRead - before
    before = socket.bytesRead
    if (raw.readableLength === 0 && came < (minRate * rateWindowMs) / 1000) socket.destroy()
  }, rateWindowMs)
  const stop = () => clearInterval(timer)
  raw.once('end', stop).once('close', stop)
}

/** Ends the connection after so much silence in both directions; 0 never does. */
export function setIdleLimit({ raw }: FastifyRequest, ms: number): void {
  // Without a listener of ours, Node destroys the socket when its time is up.
  if (typeof raw.socket.setTimeout === 'function') raw.socket.setTimeout(ms)
}

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
function setLeastRate({ raw, routeOptions }: FastifyRequest, { minRate, rateWindowMs }: Services['http']): void {
  const { socket } = raw
  // Later where the route has an answer for it: then this cuts only who goes on dripping after it.
  const windowMs = routeOptions.config.answersSlow ? 2 * rateWindowMs : rateWindowMs
  // A request that was not sent over a connection has no rate.
  if (typeof socket.bytesRead !== 'number') return
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const came = socket.bytesRead - before
    before = socket.bytesRead
    if (raw.readableLength === 0 && came < (minRate * windowMs) / 1000) socket.destroy()
  }, windowMs)
  // A request that was answered before its end, and closed for it, tells neither its end nor its close: the socket does.
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  raw.once('end', stop).once('close', stop)
  socket.once('close', stop)
}

/** A reader that takes nothing for this long has gone. */
export const idleReaderMs = 120_000

/** Ends the connection after so much silence in both directions; 0 never does. */
export function setIdleLimit({ raw }: FastifyRequest, ms: number): void {
  // Without a listener of ours, Node destroys the socket when its time is up.
  if (typeof raw.socket.setTimeout === 'function') raw.socket.setTimeout(ms)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'

/** Cuts connections whose request does not arrive: the client is gone or hostile. Handlers may take their time. */
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
 * Cuts a sender that is never silent for long but stays below the minimum rate over a whole window. Bytes that wait
 * here to be read are our delay and not held against the sender.
 */
function setLeastRate({ raw, routeOptions }: FastifyRequest, { minRate, rateWindowMs }: Services['http']): void {
  const { socket } = raw
  // Longer if the route answers slow senders itself: then this cuts only those that continue after that answer.
  const windowMs = routeOptions.config.answersSlow ? 2 * rateWindowMs : rateWindowMs
  // An injected request has no connection and no rate.
  if (typeof socket.bytesRead !== 'number') return
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const came = socket.bytesRead - before
    before = socket.bytesRead
    if (raw.readableLength === 0 && came < (minRate * windowMs) / 1000) socket.destroy()
  }, windowMs)
  // A request that was answered and closed before its end emits neither `end` nor `close`, but the socket does.
  const stop = () => {
    clearInterval(timer)
    socket.off('close', stop)
  }
  raw.once('end', stop).once('close', stop)
  socket.once('close', stop)
}

/** A reader that reads nothing for this long is gone. */
export const idleReaderMs = 120_000

/** Ends the connection after this much silence in both directions; 0 disables the limit. */
export function setIdleLimit({ raw }: FastifyRequest, ms: number): void {
  // Without a listener, Node destroys the socket on timeout.
  if (typeof raw.socket.setTimeout === 'function') raw.socket.setTimeout(ms)
}

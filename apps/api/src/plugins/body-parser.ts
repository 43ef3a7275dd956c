import { setImmediate } from 'node:timers/promises'
import { limits } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJsonBody } from '../http/body.ts'

/** Reads JSON bodies up to the size that the route allows, and no others. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()

  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '') ?? []
    if (charset && !/^utf-?8$/i.test(charset)) {
      throw new Problem('unsupported_media_type', { msg: 'JSON bodies are UTF-8. Send no other charset.' })
    }
    const value = parseJsonBody(body)
    // What follows takes as long again: other requests come first.
    if (body.length > limits.bodyBytes) await setImmediate()
    return value
  })

  // `curl -X POST -d ''` sets the type of a form but sends nothing, which is fine wherever no body is needed.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => {
    if (body.length === 0) return undefined
    throw new Problem('unsupported_media_type', { msg: 'Send the body as `Content-Type: application/json`.' })
  })
}

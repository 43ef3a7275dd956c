import { limits } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJsonBody } from '../http/body.ts'

/** Reads JSON bodies of at most 16 MB, and no others. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()

  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    async (request: FastifyRequest, body: Buffer) => {
      const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '') ?? []
      if (charset && !/^utf-?8$/i.test(charset)) {
        throw new Problem('unsupported_media_type', { msg: 'JSON bodies are UTF-8. Send no other charset.' })
      }
      return parseJsonBody(body)
    },
  )

  // `curl -X POST -d ''` sets the type of a form but sends nothing, which is fine wherever no body is needed.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    async (_: unknown, body: Buffer) => {
      if (body.length === 0) return undefined
      throw new Problem('unsupported_media_type', { msg: 'Send the body as `Content-Type: application/json`.' })
    },
  )
}

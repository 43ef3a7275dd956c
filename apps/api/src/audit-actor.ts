import { type AuditActor, isAccessToken } from '@lathe/accounts'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from './http/bearer.ts'
import { callerOf } from './route-config.ts'

/** Who asks by a request of the API, as the audit log names them. */
export function actorOf(request: FastifyRequest): AuditActor {
  const { ownerId, userId, keyId } = callerOf(request)
  const via = isAccessToken(bearerOf(request.headers.authorization) ?? '') ? 'session' : 'key'
  return { ownerId, userId, via, viaId: keyId, address: request.ip }
}

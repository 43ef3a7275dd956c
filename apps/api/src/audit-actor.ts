import { type AuditActor, isAccessToken } from '@lathe/accounts'
import type { FastifyRequest } from 'fastify'
import { bearerOf } from './http/headers.ts'
import { callerOf } from './route-config.ts'

/** The caller of an API request, as the audit log records it. */
export function actorOf(request: FastifyRequest): AuditActor {
  const { ownerId, userId, keyId } = callerOf(request)
  const via = isAccessToken(bearerOf(request.headers.authorization) ?? '') ? 'session' : 'key'
  return { ownerId, userId, via, viaId: keyId, address: request.ip }
}

import type { AuditActor } from '@lathe/accounts'
import { type DeviceLogin, type DeviceToken, parseDeviceLogin, parseDeviceToken } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

type DeviceServices = Pick<Services, 'auth' | 'database' | 'audit' | 'limiter' | 'metrics' | 'http'>

/** POST /v1/device/authorize and POST /v1/device/token: they ignore cookies. The user decides under /auth/device. */
export function deviceRoutes(app: FastifyInstance, services: DeviceServices): void {
  const { database, audit, http } = services
  // Before the body is read: anybody may send one.
  const refuseWithoutLogins = async () => void requireDeviceLogins(services)

  app.route({
    ...endpoint('startDeviceLogin'),
    onRequest: refuseWithoutLogins,
    handler: async (request, reply) => {
      const wanted = parseDeviceLogin(request.body)
      const logins = requireDeviceLogins(services)
      await countStart(services, request, reply)
      const started = await logins.start({ ...wanted, address: request.ip })
      const page = new URL('/device', http.publicUrl).href
      return reply.header('cache-control', 'no-store').send({
        device_code: started.deviceCode,
        user_code: started.userCode,
        verification_uri: page,
        // The fragment is not sent to servers, so it appears in no log.
        verification_uri_complete: `${page}#${started.userCode}`,
        expires_in: started.expiresS,
        interval: started.intervalS,
      } satisfies DeviceLogin)
    },
  })

  app.route({
    ...endpoint('pollDeviceLogin'),
    onRequest: refuseWithoutLogins,
    handler: async (request, reply) => {
      const { device_code } = parseDeviceToken(request.body)
      const logins = requireDeviceLogins(services)
      const approved = await logins.poll(device_code)
      const { record, key } = await database.transaction(async (tx) => {
        const made = await logins.takeKey(tx, approved)
        const { userId, ownerId, sessionId: viaId } = approved
        const actor: AuditActor = { userId, ownerId, via: 'session', viaId, address: request.ip }
        const detail = { name: made.record.name, scopes: made.record.scopes, by: 'device' }
        await audit(tx, actor, { action: 'key.created', subjectId: made.record.id, detail })
        return made
      })
      return reply.header('cache-control', 'no-store').send({
        access_token: key,
        token_type: 'Bearer',
        key_id: record.id,
        name: record.name,
        scopes: [...approved.scopes],
      } satisfies DeviceToken)
    },
  })
}

/** Users approve in a session that they signed in to themselves, which exists only in mode `accounts`. */
function requireDeviceLogins({ auth }: DeviceServices) {
  if (auth?.config.mode !== 'accounts') throw new Problem('device_login_off')
  return auth.deviceLogins
}

async function countStart({ limiter, metrics }: DeviceServices, { ip }: FastifyRequest, reply: FastifyReply) {
  const { allowed, resetS } = await limiter.take('deviceLogin', ip)
  if (allowed) return
  metrics.rateLimited.inc({ by: 'deviceLogin' })
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited', {
    msg: `Too many sign-ins have begun from your network. Try again in ${Math.ceil(resetS / 60)} minutes.`,
  })
}

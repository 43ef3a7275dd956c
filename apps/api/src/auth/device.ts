import { type DeviceLogins, unknownCode } from '@lathe/accounts'
import { parseDeviceApproval, parseUserCode } from '@lathe/contract'
import { type DeviceCodeRecord, type LoginRecord, listActableOwners, type SessionRecord } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../http/client-address.ts'
import { requireConfirmed } from './confirm-identity.ts'
import { countOwnAttempt } from './sign-in-limit.ts'
import { type AuthServices, actorIn, actorOf, requirePerson } from './visit.ts'

/** A program that waits for approval, as shown to the user who decides. */
export interface DeviceView {
  /** The name the program gave itself. */
  readonly name: string
  readonly address: string
  /** Whether the user is on the same network as the program. */
  readonly isSameNetwork: boolean
  readonly requestedAt: string
  readonly expiresAt: string
  readonly scopes: readonly string[]
  /** The owner its key would act for. */
  readonly owner: { readonly id: ObjectId; readonly name: string }
  /** Whether the user may create keys for that owner. */
  readonly mayApprove: boolean
}

/** POST /auth/device/show, approve and deny: the user decides whether a program gets a key. */
export function deviceRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  const { deviceLogins } = auth

  app.post('/device/show', { config: { scope: 'public' } }, async (request, reply): Promise<DeviceView> => {
    const { userCode } = parseUserCode(request.body)
    const visit = await requirePerson(services, request)
    const device = await guess({ services, request, reply }, visit.login, () => findOrRefuse(deviceLogins, userCode))
    return toView(services, request, visit.session, device)
  })

  app.post('/device/approve', { config: { scope: 'public' } }, async (request, reply) => {
    const { userCode, ownerId } = parseDeviceApproval(request.body)
    const { session, login } = await requirePerson(services, request)
    await requireConfirmed(services, session.id)
    await guess({ services, request, reply }, login, () =>
      database.transaction(async (tx) => {
        const decider = { userId: login.userId, ownerId, sessionId: session.id }
        const device = await deviceLogins.approve(tx, userCode, decider)
        const detail = { name: device.name, address: device.address, scopes: device.scopes }
        await audit(tx, actorIn(ownerId, session, request), { action: 'device.approved', detail })
      }),
    )
    return reply.code(204).send()
  })

  app.post('/device/deny', { config: { scope: 'public' } }, async (request, reply) => {
    const { userCode } = parseUserCode(request.body)
    const { session, login } = await requirePerson(services, request)
    await guess({ services, request, reply }, login, () =>
      database.transaction(async (tx) => {
        const { userId } = login
        const device = await deviceLogins.deny(tx, userCode, { userId, ownerId: userId, sessionId: session.id })
        const detail = { name: device.name, address: device.address }
        await audit(tx, actorOf(session, request), { action: 'device.denied', detail })
      }),
    )
    return reply.code(204).send()
  })
}

interface Exchange {
  readonly services: AuthServices
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Counts a code as a guess of the user unless it turns out to be a pending one. */
async function guess<T>(
  { services, request, reply }: Exchange,
  login: LoginRecord,
  work: () => Promise<T>,
): Promise<T> {
  const attempt = await countOwnAttempt(services, request, reply, { ...login, kind: 'device' })
  const result = await work()
  await attempt.succeed()
  return result
}

async function findOrRefuse(deviceLogins: DeviceLogins, userCode: string): Promise<DeviceCodeRecord> {
  const device = await deviceLogins.find(userCode)
  if (!device) throw unknownCode()
  return device
}

async function toView(
  { auth, database }: AuthServices,
  { ip }: FastifyRequest,
  { userId, ownerId: chosen }: SessionRecord,
  { name, address, createdAt, expiresAt, scopes }: DeviceCodeRecord,
): Promise<DeviceView> {
  const owners = await listActableOwners(database.pool, userId)
  const owner = owners.find(({ id }) => id === chosen) ?? owners[0]
  if (!owner) throw new Problem('forbidden', { msg: 'You may not act for this owner.' })
  return {
    name,
    address,
    isSameNetwork: networkOf(ip) === networkOf(address),
    requestedAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    scopes,
    owner: { id: owner.id, name: owner.name },
    mayApprove: await auth.deviceLogins.mayApprove({ userId, ownerId: owner.id }),
  }
}

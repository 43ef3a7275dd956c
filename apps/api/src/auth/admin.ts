import { type AdminActor, newPassword } from '@lathe/accounts'
import {
  accountsQuery,
  parseAccountChange,
  parseAnnouncement,
  parseDisabledFormat,
  parseId,
  parseNewAccount,
  type RawQuery,
} from '@lathe/contract'
import {
  countRunning,
  findAnnouncement,
  type InstanceAccount,
  listDisabledFormats,
  listWorkers,
  readBacklog,
  readQueues,
} from '@lathe/database'
import { firstIdAt, invalidField, oldestWithFilesAt, Problem } from '@lathe/domain'
import { pools } from '@lathe/queue'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireNoBody } from '../http/body.ts'
import { pathParam } from '../route-config.ts'
import { servedBy, toEngineStates } from './engine-states.ts'
import { type AuthServices, actorOf, requirePerson } from './visit.ts'

const perPage = 50
const mostWorkers = 500
// Upper bound of rows to count; a count that reaches it means "at least".
const mostTasks = 10_000

/** What administrators of the instance see and change; all others are refused. */
export function adminRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database } = services
  app.get('/admin/accounts', { config: { scope: 'public' } }, async (request) => {
    const query = accountsQuery.read(request.query as RawQuery)
    await requireAdmin(services, request)
    const found = await auth.instance.listAccounts(database.pool, { ...query, limit: perPage + 1 })
    const data = found.slice(0, perPage)
    return { data: data.map(toView), ...(found.length > perPage && { next: data.at(-1)?.id }) }
  })
  app.patch('/admin/accounts/:id', { config: { scope: 'public' } }, async (request) => {
    const change = parseAccountChange(request.body)
    const actor = await requireAdmin(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    if (change.isAdmin !== undefined && auth.config.mode === 'proxy') {
      throw invalidField('isAdmin', 'is decided by the setting ACCOUNTS_PROXY_ADMINS.')
    }
    return toView(await database.transaction((tx) => auth.instance.changeAccount(tx, actor, id, change)))
  })
  app.delete('/admin/accounts/:id', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const actor = await requireAdmin(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    await database.transaction((tx) => auth.instance.deleteAccount(tx, actor, id))
    return reply.code(204).send()
  })
  app.get('/admin/instance', { config: { scope: 'public' } }, async (request) => {
    await requireAdmin(services, request)
    const since = firstIdAt(oldestWithFilesAt(new Date()))
    const sample = { since, most: mostTasks }
    const [workers, running, queues, backlog, announcement, disabledFormats] = await Promise.all([
      listWorkers(database.pool, { limit: mostWorkers }),
      countRunning(database.pool, { most: mostTasks }),
      readQueues(database.pool, { pools, ...sample }),
      readBacklog(database.pool, sample),
      findAnnouncement(database.pool),
      listDisabledFormats(database.pool),
    ])
    return {
      workers: workers.map((worker) => ({ ...worker, serves: servedBy(worker) })),
      engines: toEngineStates(workers, running, queues),
      ...{ queues, backlog, announcement, disabledFormats },
    }
  })
  app.post('/admin/announcement', { config: { scope: 'public' } }, async (request, reply) => {
    const text = parseAnnouncement(request.body)
    const actor = await requireAdmin(services, request)
    await database.transaction((tx) => auth.instance.announce(tx, actor, text))
    return reply.code(204).send()
  })
}

/** Switches formats off and on again; a change takes effect in every process within 5 seconds. */
export function disabledFormatRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database } = services
  app.post('/admin/disabled-formats', { config: { scope: 'public' } }, async (request, reply) => {
    const rule = parseDisabledFormat(request.body)
    const actor = await requireAdmin(services, request)
    const id = await database.transaction((tx) => auth.instance.disableFormat(tx, actor, rule))
    return reply.code(201).send({ id, ...rule })
  })
  app.delete('/admin/disabled-formats/:id', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const actor = await requireAdmin(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    await database.transaction((tx) => auth.instance.enableFormat(tx, actor, id))
    return reply.code(204).send()
  })
}

/** POST /auth/admin/accounts: adds an account with a password that is shown once. */
export function newAccountRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/admin/accounts', { config: { scope: 'public' } }, async (request, reply) => {
    const { name, email, isAdmin = false } = parseNewAccount(request.body)
    const actor = await requireAdmin(services, request)
    const password = newPassword()
    const id = await database.transaction(async (tx) => {
      const made = await auth.logins.create(tx, { name, email, emailProof: 'administrator', isAdmin, password })
      const entry = {
        action: 'account.created',
        subjectId: made.userId,
        detail: { email: made.email, isAdmin },
      } as const
      await audit(tx, { ...actor, ownerId: made.userId }, entry)
      return made.userId
    })
    return reply.code(201).send({ id, name, email, isAdmin, password })
  })
}

/** The caller, who must be an administrator. */
async function requireAdmin(services: AuthServices, request: FastifyRequest): Promise<AdminActor> {
  const { session, login } = await requirePerson(services, request)
  if (!login.isAdmin) throw new Problem('forbidden', { msg: 'Only administrators of this service may do this.' })
  return { ...actorOf(session, request), userId: login.userId }
}

function toView({ slots, minutesPerMonth, minutesPerTask, storageBytes, usedMs, ...account }: InstanceAccount) {
  const minutesUsed = Math.round(usedMs / 600) / 100
  return { ...account, plan: { slots, minutesPerMonth, minutesPerTask, storageBytes }, minutesUsed }
}

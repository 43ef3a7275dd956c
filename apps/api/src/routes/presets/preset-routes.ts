import {
  limits,
  listQuery,
  parseId,
  parsePreset,
  parsePresetChange,
  type RawQuery,
  readPage,
  toPage,
  toPresetView,
} from '@lathe/contract'
import {
  countPresets,
  deletePreset,
  type Executor,
  findPresets,
  insertPreset,
  listPresets,
  lockOwner,
  type PresetReader,
  type PresetRecord,
  updatePreset,
} from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import { oncePerKey } from '@lathe/orchestrator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentOf, idempotencyOf } from '../../creation.ts'
import { requireNoBody } from '../../http/body.ts'
import { pageOf } from '../../http/page-of.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** Named settings of operations. */
export function presetRoutes(app: FastifyInstance, services: Services): void {
  const { database, ids, clock } = services
  const presetIdOf = (request: FastifyRequest) => parseId(pathParam(request, 'presetId'), 'presetId')

  async function find({ ownerId, userId }: PresetReader, id: ObjectId): Promise<PresetRecord | undefined> {
    const [preset] = await findPresets(database.pool, { ownerId, userId, ids: [id] })
    return preset
  }

  async function load(request: FastifyRequest): Promise<PresetRecord> {
    const preset = await find(callerOf(request), presetIdOf(request))
    if (!preset) throw new Problem('not_found')
    return preset
  }

  app.route({
    ...endpoint('listPresets'),
    handler: async (request) => {
      const paging = readPage(listQuery, request.query as RawQuery)
      const { docs, facts } = pageOf(await listPresets(database.pool, callerOf(request)), paging)
      return toPage(docs.map(toPresetView), facts)
    },
  })

  app.route({
    ...endpoint('createPreset'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const parsed = parsePreset(request.body)
      const idempotency = idempotencyOf(request)
      const answer = await database.transaction((tx) =>
        oncePerKey(tx, services, caller, idempotency, async () => {
          await refuseTooMany(tx, caller.ownerId)
          const [{ ownerId, userId }, now] = [caller, clock.now()]
          const preset = { id: ids.next(), ownerId, userId, ...parsed, createdAt: now, updatedAt: now }
          await insertPreset(tx, preset)
          return preset
        }),
      )
      const preset = await currentOf<PresetRecord>(reply, answer, (id) => find(caller, id))
      return reply.code(201).send(toPresetView(preset))
    },
  })

  app.route({
    ...endpoint('showPreset'),
    handler: async (request) => toPresetView(await load(request)),
  })

  app.route({
    ...endpoint('updatePreset'),
    handler: async (request) => {
      const { ownerId, userId } = callerOf(request)
      const preset = await load(request)
      const change = { ...parsePresetChange(request.body, preset), updatedAt: clock.now() }
      const changed = await updatePreset(database.pool, { ownerId, userId, id: preset.id }, change)
      if (!changed) throw new Problem('not_found')
      return toPresetView(changed)
    },
  })

  app.route({
    ...endpoint('deletePreset'),
    handler: async (request, reply) => {
      const { ownerId, userId } = callerOf(request)
      const id = presetIdOf(request)
      requireNoBody(request.body)
      if (!(await deletePreset(database.pool, { ownerId, userId, id }))) throw new Problem('not_found')
      return reply.code(200).send()
    },
  })
}

/** Locks the owner, so that no preset is added while they are counted. */
async function refuseTooMany(tx: Executor, ownerId: ObjectId): Promise<void> {
  await lockOwner(tx, ownerId)
  const count = await countPresets(tx, ownerId)
  if (count < limits.presetsPerOwner) return
  throw new Problem('invalid_request', {
    msg: `You already have ${count} presets, which is the limit. Delete one first.`,
  })
}

import type { ParsedInput } from '@lathe/contract'
import { findRequest } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Answer, Caller, Idempotency, InputRef, NewTask } from '@lathe/orchestrator'
import type { Sealer } from '@lathe/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseIdempotencyKey, requestHash } from './http/idempotency.ts'
import { callerOf, pathOf } from './route-config.ts'
import type { Services } from './services.ts'
import { type DraftTask, stageContent } from './staging.ts'

/** Converts a parsed task to the form the orchestrator takes. */
export function toNewTask({ id, parsed }: DraftTask, sealer: Sealer): NewTask {
  const { name, operation, payload, inputs, secrets } = parsed
  const sealed = secrets && sealer.seal(JSON.stringify(secrets), id)
  return { id, name, operation, payload: { ...payload }, inputs: inputs.map(toInputRef), ...(sealed && { sealed }) }
}

function toInputRef({ kind, value, path }: ParsedInput): InputRef {
  return kind === 'sibling' ? { kind, name: value } : { kind, id: value, path }
}

/** The caller of a request that creates something, and its trace. */
export function creatorOf(request: FastifyRequest): Caller {
  const { ownerId, userId, linkGeneration } = callerOf(request)
  return { ownerId, userId, linkGeneration, traceParent: request.span?.traceParent ?? null }
}

/** Identifies a repeated request, if the client sent an idempotency key. */
export function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  const key = parseIdempotencyKey(request.headers['idempotency-key'])
  if (key === undefined) return undefined
  const { method, body } = request
  return { key, requestHash: requestHash({ method, path: pathOf(request), body }) }
}

/** What an earlier request with the same key created, for a route that must look before it can create. */
export async function repeatedOf(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<{ readonly kind: 'replayed'; readonly id: ObjectId } | undefined> {
  const idempotency = idempotencyOf(request)
  if (!idempotency) return undefined
  const { key, requestHash: hash } = idempotency
  const kept = await findRequest(database.pool, { ownerId: callerOf(request).ownerId, key, now: clock.now() })
  if (kept && kept.requestHash !== hash) throw new Problem('idempotency_conflict')
  return kept && { kind: 'replayed', id: kept.subjectId }
}

/**
 * Stages the content that came inside the request, then creates, unless the client has gone; erases the staged content
 * again if nothing was created.
 */
export async function createStaged<T>(
  { store, log }: Pick<Services, 'store' | 'log'>,
  drafts: readonly DraftTask[],
  client: AbortSignal,
  create: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const staged = await stageContent(store, drafts, client)
  const unstage = () => store.delete(staged).catch((err: unknown) => log.warn({ err }, 'staged content not deleted'))
  const answer = await create().catch(async (error: unknown) => {
    // Only a refusal is certain to have created nothing; after any other error the tasks may exist and need their
    // content.
    if (error instanceof Problem && staged.length > 0) await unstage()
    throw error
  })
  if (answer.kind === 'replayed' && staged.length > 0) await unstage()
  return answer
}

/** The current state of what was just created, or of what the first of several identical requests created. */
export async function currentOf<T extends { readonly id: ObjectId }>(
  reply: FastifyReply,
  answer: Answer<T>,
  find: (id: ObjectId) => Promise<T | undefined>,
): Promise<T> {
  if (answer.kind === 'fresh') return answer.record
  const found = await find(answer.id)
  if (!found) throw new Problem('gone')
  reply.header('idempotency-replayed', 'true')
  return found
}

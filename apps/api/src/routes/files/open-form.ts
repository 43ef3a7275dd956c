import { parseId } from '@lathe/contract'
import { findTaskById } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Payload } from '@lathe/operations'
import type { FastifyRequest } from 'fastify'
import { pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import type { Passage } from '../../transfers/owner-gate.ts'

/** The form of an upload task that still waits for its file. */
export interface OpenForm {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly jobId: ObjectId | null
  readonly linkGeneration: number
  readonly payload: Payload
  readonly createdAt: Date
}

/** Finds a form that still waits for its file. Only clients with the URL of the form learn why it does not. */
export function toPassage(
  request: FastifyRequest,
  { database, links }: Pick<Services, 'database' | 'links'>,
): Passage<OpenForm> {
  return toForm(request, links, (taskId) => loadOpenForm(database, taskId))
}

/** Finds what the URL of a form names, with the given loader. */
export function toForm<T extends Pick<OpenForm, 'linkGeneration'>>(
  request: FastifyRequest,
  links: Services['links'],
  load: (taskId: ObjectId) => Promise<T>,
): Passage<T> {
  const taskId = parseId(pathParam(request, 'taskId'), 'taskId')
  const generation = links.uploadGeneration(taskId, pathParam(request, 'token'))
  return {
    taskId,
    verify() {
      if (generation === undefined) throw new Problem('not_found')
    },
    async find() {
      const form = await load(taskId)
      if (form.linkGeneration !== generation) throw formVoid()
      return form
    },
  }
}

function formVoid(): Problem {
  const msg = 'The form is void: an API key of its owner was revoked. The form that the task shows now works.'
  return new Problem('not_found', { msg })
}

export async function loadOpenForm(database: Services['database'], id: ObjectId): Promise<OpenForm> {
  const task = await findTaskById(database.pool, id)
  if (task?.status === 'processing') return task
  if (task?.status === 'completed') throw new Problem('form_used')
  if (!task || task.reason === 'upload_timeout') throw new Problem('form_expired')
  throw new Problem('not_found', { msg: 'The upload was canceled or deleted. Create another import/upload task.' })
}

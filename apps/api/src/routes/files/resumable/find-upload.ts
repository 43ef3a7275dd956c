import { findResumable, findTaskById, type ResumableUpload, type TaskRecord } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyRequest } from 'fastify'
import { pathParam } from '../../../route-config.ts'
import type { Services } from '../../../services.ts'
import type { Passage } from '../../../transfers/owner-gate.ts'
import { toForm } from '../open-form.ts'

/** A resumable upload and its task, which may have ended. */
export interface FoundUpload {
  readonly ownerId: ObjectId
  readonly linkGeneration: number
  readonly task: TaskRecord
  readonly upload: ResumableUpload
}

/** Finds the upload that a URL names. */
export function toUpload(
  request: FastifyRequest,
  { database, links }: Pick<Services, 'database' | 'links'>,
): Passage<FoundUpload> {
  return toForm(request, links, async (taskId) => {
    const [task, upload] = await Promise.all([
      findTaskById(database.pool, taskId),
      findResumable(database.pool, taskId, pathParam(request, 'uploadId')),
    ])
    if (!task) throw new Problem('form_expired')
    if (!upload) throw uploadGone()
    return { ownerId: task.ownerId, linkGeneration: task.linkGeneration, task, upload }
  })
}

function uploadGone(): Problem {
  const msg = 'There is no such upload: it was abandoned, or started anew. Start another at `result.form.tusUrl`.'
  return new Problem('not_found', { msg })
}

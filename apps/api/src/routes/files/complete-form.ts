import type { NewFile, TaskRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { Services } from '../../services.ts'
import { loadOpenForm, type OpenForm } from './open-form.ts'

type Parts = Pick<Services, 'database' | 'orchestrator' | 'store' | 'metrics'>

/** Completes the task of a form with a file that is stored. If the form is no longer open, the file is deleted again. */
export async function completeForm(form: OpenForm, file: NewFile, parts: Parts): Promise<TaskRecord> {
  const { orchestrator, store, database, metrics } = parts
  metrics.uploadedBytes.inc(file.size)
  // If this throws, nobody knows whether it was committed: the bytes stay until their prefix expires. Only if the owner
  // may not store them it is known.
  const standing = { ownerId: form.ownerId, isLone: form.jobId === null }
  const task = await orchestrator.completeUpload(form.id, file, standing).catch(async (error) => {
    if (error instanceof Problem && error.code === 'out_of_storage') await store.delete([file.key])
    throw error
  })
  if (task) return task
  await store.delete([file.key])
  await loadOpenForm(database, form.id)
  throw new Problem('form_used')
}

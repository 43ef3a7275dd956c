import type { NewFile, TaskRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { Services } from '../../services.ts'
import { loadOpenForm, type OpenForm } from './open-form.ts'

type Parts = Pick<Services, 'database' | 'orchestrator' | 'store' | 'metrics'>

/** Completes the task of a form with a stored file. If the form is no longer open, the file is deleted. */
export async function completeForm(form: OpenForm, file: NewFile, parts: Parts): Promise<TaskRecord> {
  const { orchestrator, store, database, metrics } = parts
  metrics.uploadedBytes.inc(file.size)
  // If this throws, it may still have been committed, so the file stays until its prefix expires. Only `out_of_storage`
  // is certain not to be committed.
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

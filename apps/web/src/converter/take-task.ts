import type { Task } from '@lathe/contract'
import { ownPath } from '../api/own-path.ts'
import type { Item, Result, Trouble } from './item.ts'

/** The changes that a task event makes to its file; none if the event is older than what the page has done since. */
export function takeTask(item: Item, task: Task): Partial<Item> {
  if (item.stage === 'canceled' || item.stage === 'done' || item.stage === 'failed') return {}
  if (task.id === item.importId) return takeImport(item, task)
  return task.id === item.convertId ? takeConversion(task) : takeEdit(item, task)
}

function takeImport(item: Item, task: Task): Partial<Item> {
  if (task.status === 'failed') return { stage: 'failed', trouble: troubleOf(task) }
  if (task.status === 'canceled' || task.status === 'deleted') return { stage: 'canceled' }
  if (task.status !== 'completed' || item.stage === 'running') return {}
  // The result is shown on the file it is merged into.
  if (item.partOf) return { stage: 'done', importedId: task.id }
  const size = task.result.files?.[0]?.size
  return { stage: 'queued', progress: 0, importedId: task.id, ...(item.url && size !== undefined && { size }) }
}

/** The changes by a step before the last: that it runs, what it warns of, or why it failed. */
function takeEdit({ stepWarnings = [] }: Item, task: Task): Partial<Item> {
  if (task.status === 'failed') return { stage: 'failed', trouble: troubleOf(task) }
  const fresh = (task.result.warnings ?? []).filter((warning) => !stepWarnings.includes(warning))
  if (fresh.length > 0) return { stepWarnings: [...stepWarnings, ...fresh] }
  return task.status === 'processing' && task.startedAt !== null ? { stage: 'running' } : {}
}

function takeConversion(task: Task): Partial<Item> {
  switch (task.status) {
    case 'completed':
      return task.result.url
        ? { stage: 'done', progress: 1, result: resultOf(task) }
        : { stage: 'failed', trouble: { code: 'input_expired', msg: '' } }
    case 'failed':
      return { stage: 'failed', trouble: troubleOf(task) }
    case 'canceled':
    case 'deleted':
      return { stage: 'canceled' }
    case 'processing': {
      if (task.startedAt === null) return { stage: 'queued' }
      const { progress } = task
      return {
        stage: 'running',
        ...(progress && { progress: progress.percent / 100 }),
        ...(progress?.secondsLeft != null && { secondsLeft: progress.secondsLeft }),
      }
    }
    default:
      return takePlace(task)
  }
}

function takePlace({ queue }: Task): Partial<Item> {
  const { position, secondsToStart, secondsToEnd } = queue ?? {}
  return {
    ...(position && { position }),
    ...(secondsToStart != null && { secondsToStart }),
    ...(secondsToEnd != null && { secondsToEnd }),
  }
}

function resultOf({ result }: Task): Result {
  const files = (result.files ?? []).map((file) => ({
    name: file.filename ?? '',
    size: file.size,
    path: file.url ? ownPath(file.url) : '',
  }))
  return {
    path: ownPath(result.url ?? ''),
    files,
    size: files.reduce((sum, { size }) => sum + size, 0),
    expiresAt: result.expiresAt ?? '',
    warnings: result.warnings ?? [],
  }
}

/** Why a task has failed. */
export function troubleOf({ result }: Task): Trouble {
  return { code: result.reason ?? result.errorCode ?? 'internal', msg: result.msg ?? '' }
}

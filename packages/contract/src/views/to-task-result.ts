import { isOpen } from '@lathe/domain'
import { splitName } from '@lathe/formats'
import { isUpload } from '@lathe/operations'
import type { TaskFile, TaskResult } from '../schemas/task-view.ts'
import type { FileFacts, Links, TaskFacts } from './records.ts'

/** The `result` for the current state of the task. */
export function toTaskResult(task: TaskFacts, links: Links): TaskResult {
  if (task.status === 'completed') return toOutput(task, links)
  if (task.status === 'failed') return toFailure(task)
  if (task.status === 'deleted') {
    return { errorCode: 'user_deleted_task', files: toReceipt(task.files), ...toRest(task, links) }
  }
  if (isUpload(task.operation) && isOpen(task.status)) return { form: links.form(task) }
  return {}
}

function toOutput(task: TaskFacts, links: Links): TaskResult {
  const reported = {
    ...(task.exported && { exported: [...task.exported] }),
    ...(task.warnings.length > 0 && { warnings: [...task.warnings] }),
  }
  if (task.files.length === 0) return reported
  const files = task.files.toSorted((a, b) => a.n - b.n)
  const expiresAt = new Date(Math.min(...files.map((file) => file.expiresAt.getTime())))
  const url = files.every((file) => isAlive(file, links.now)) ? { url: outputUrl(task, files, expiresAt, links) } : {}
  const shown = files.map((file) => toFile(task, file, links))
  return { ...url, expiresAt: expiresAt.toISOString(), files: shown, ...toRest(task, links), ...reported }
}

/** Where the files are that the task does not show. */
function toRest(task: TaskFacts, links: Links): Pick<TaskResult, 'filesTotal' | 'filesUrl'> {
  const { filesTotal = 0, files } = task
  return filesTotal > files.length ? { filesTotal, filesUrl: links.filesUrl(task) } : {}
}

/** Any files of a task as their list shows them. */
export function toTaskFiles(task: TaskFacts, links: Links): TaskFile[] {
  return task.status === 'deleted' ? toReceipt(task.files) : task.files.map((file) => toFile(task, file, links))
}

function outputUrl(task: TaskFacts, files: readonly FileFacts[], expiresAt: Date, links: Links): string {
  const [first, ...others] = files
  if (first && others.length === 0 && !task.filesTotal && task.payload.archive_multiple_files !== true) {
    return links.fileUrl(task, first.n, first.filename, first.expiresAt)
  }
  return links.archiveUrl(task, archiveName(task), expiresAt)
}

interface Archived extends Pick<TaskFacts, 'name' | 'payload'> {
  readonly files: readonly { readonly filename: string }[]
}

/**
 * A given file name is the name of the ZIP, whatever its extension, because the link returns the ZIP. Without one, it is
 * the name that its files are numbered after, such as `letter` of `letter-1.png` and `letter-2.png`, or that of the task.
 */
export function archiveName({ name, payload, files }: Archived): string {
  const given = payload.filename === undefined ? '' : splitName(payload.filename).stem
  // A task outside a job is named after its operation, which may contain a slash.
  return `${given || numberedStem(files.map(({ filename }) => filename)) || name.replaceAll('/', '-')}.zip`
}

/** What the names of files have in common before a separator and their numbers. */
function numberedStem(names: readonly string[]): string | undefined {
  const stems = names.map((name) => /^(.+)[-_ ]\d+$/.exec(splitName(name).stem)?.[1])
  const [first, ...others] = stems
  return others.length > 0 && others.every((stem) => stem === first) ? first : undefined
}

function toFile(task: TaskFacts, file: FileFacts, links: Links): TaskFile {
  const { n, filename, folder, size, sha256, expiresAt } = file
  const url = isAlive(file, links.now) ? { url: links.fileUrl(task, n, filename, expiresAt) } : {}
  return { filename, ...(folder && { folder }), size, sha256, ...url, expiresAt: expiresAt.toISOString() }
}

function isAlive({ expiresAt, deletedAt }: FileFacts, now: Date): boolean {
  return deletedAt === null && expiresAt > now
}

function toFailure({ errorCode, msg, reason }: TaskFacts): TaskResult {
  return {
    errorCode: errorCode ?? 'processing_failed',
    ...(msg !== null && { msg }),
    ...(reason !== null && { reason }),
  }
}

/** The proof of erasure contains no file names: they can be as private as contents. */
function toReceipt(files: readonly FileFacts[]): TaskFile[] {
  return files.flatMap(({ size, sha256, deletedAt }) =>
    deletedAt === null ? [] : [{ size, sha256, deletedAt: deletedAt.toISOString() }],
  )
}

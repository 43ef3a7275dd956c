import type { Task, UploadForm } from '@lathe/contract'
import type { Answer, Client } from './client.ts'

/** The form of an open upload task. */
export function formOf(task: Task): UploadForm {
  const { form } = task.result
  if (!form) throw new Error('the task has no form')
  return form
}

export interface UploadOptions {
  readonly filename?: string
  /** Sends the file before the fields. */
  readonly fileFirst?: boolean
  readonly parameters?: Readonly<Record<string, string>>
}

/** Uploads a file to a form like a browser: multipart, without an API key. */
export function upload(api: Client, task: Task, bytes: Uint8Array, options: UploadOptions = {}): Promise<Answer<Task>> {
  const { filename = 'photo.jpg', fileFirst = false } = options
  const { url, parameters } = formOf(task)
  const fields = Object.entries({ ...parameters, ...options.parameters })
  const form = new FormData()
  const addFile = () => form.append('file', new Blob([Buffer.from(bytes)]), filename)
  if (fileFirst) addFile()
  for (const [name, value] of fields) form.append(name, value)
  if (!fileFirst) addFile()
  return api.withKey(undefined).send<Task>('POST', url, { raw: form })
}

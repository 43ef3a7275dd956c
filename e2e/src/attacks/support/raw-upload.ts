import type { Task } from '@lathe/contract'
import type { Answer, Client } from '../../client.ts'
import { formOf } from '../../upload.ts'

/** Uploads a file whose name may have any bytes, unlike a browser. */
export function rawUpload(
  api: Client,
  task: Task,
  { name, content }: { name: string | Buffer; content: Uint8Array },
): Promise<Answer<Task>> {
  const { url, parameters } = formOf(task)
  const boundary = 'lathe-boundary'
  const fields = Object.entries(parameters).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const raw = Buffer.concat([
    Buffer.from(fields.join('')),
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="`),
    Buffer.from(name),
    Buffer.from('"\r\n\r\n'),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return api.withKey(undefined).send('POST', url, { raw, headers })
}

import type { ErrorBody, Task } from '@lathe/contract'
import type { Client } from '../../client.ts'
import { upload } from '../../upload.ts'
import type { Output, Variant } from './attack.ts'

/** How a variant ended: refused with a status before there was a task, or as a task. */
export type VariantEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly body: ErrorBody; readonly tookMs: number }
  | { readonly kind: 'ended'; readonly task: Task; readonly outputs: readonly Output[]; readonly tookMs: number }

/** Sends the file and the request like any client, and waits for the end. */
export async function runVariant(api: Client, variant: Variant, withinMs = 60_000): Promise<VariantEnd> {
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  const { filename, operation = 'convert', to, options, from } = variant
  const taken = await upload(api, await api.create('import/upload'), Buffer.from(variant.content), { filename })
  if (taken.status !== 200) return refused(taken, took())
  const made = await api.post<Task>(`/v1/process/${operation}`, {
    input: taken.body.id,
    ...(to !== undefined && { output_format: to }),
    ...(from !== undefined && { input_format: from }),
    ...(options && { options }),
  })
  if (made.status !== 201) return refused(made, took())
  const ended = await untilEnded(api, made.body.id, withinMs)
  const tookMs = took()
  // The answer shows only the first of many files.
  const task = ended.result.filesTotal === undefined ? ended : await api.task(ended.id)
  const outputs = await Promise.all(
    (task.result.files ?? []).map(async (file) => ({
      filename: file.filename ?? '',
      bytes: await api.download(file.url),
    })),
  )
  return { kind: 'ended', task, outputs, tookMs }
}

/** Waits twice as long as allowed, so that a late end is recognized as late. */
async function untilEnded(api: Client, id: string, withinMs: number): Promise<Task> {
  const limit = performance.now() + 2 * withinMs
  for (;;) {
    const { body } = await api.get<Task>(`/v1/process/tasks/${id}`, { prefer: 'wait=20' })
    if (body.status !== 'created' && body.status !== 'processing') return body
    if (performance.now() > limit) throw new Error(`${id} is still ${body.status} after ${2 * withinMs} ms`)
  }
}

function refused({ status, body }: { status: number; body: unknown }, tookMs: number): VariantEnd {
  return { kind: 'refused', status, body: body as ErrorBody, tookMs }
}

import type { Task } from '@lathe/contract'
import { call } from '../api/client.ts'
import { sendFile } from '../api/send-file.ts'
import { mayConvert, sessionStore } from '../session/session.ts'
import { createLimit } from './limit.ts'
import { blobs, changeItem, converter } from './state.ts'

const turn = createLimit(2)

/** Imports a file before it is converted or merged, so that the service can show its pages. Failures are ignored. */
export async function sendAhead(id: string, signal: AbortSignal): Promise<void> {
  let task: Task | undefined
  try {
    await turn(async () => {
      const [item, file] = [converter.get().items.get(id), blobs.get(id)]
      if (!item || !file || item.importedId || !mayConvert(sessionStore.get()) || signal.aborted) return
      task = await call<Task>('/v1/process/import/upload', { method: 'POST', json: {}, signal })
      const { form } = task.result
      if (!form) return
      await sendFile(form, file, { name: item.name, signal })
      const importedId = task.id
      // The service refuses to cancel an import that has its file.
      task = undefined
      const { status } = await call<Task>(`/v1/process/tasks/${importedId}`, { headers: { prefer: 'wait=30' }, signal })
      if (status !== 'completed') return
      changeItem(id, ({ stage }) => (stage === 'staged' ? { importedId } : {}))
    })
  } catch {
    // It is sent when it is needed.
    if (task) void call(`/v1/process/tasks/${task.id}/cancel`, { method: 'POST' }).catch(() => undefined)
  }
}

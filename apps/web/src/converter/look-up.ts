import type { Task } from '@lathe/contract'
import { call } from '../api/client.ts'
import { statusOf } from '../api/errors.ts'
import { ownPath } from '../api/own-path.ts'
import { mayConvert, sessionStore } from '../session/session.ts'
import { withoutOutcome } from './item.ts'
import { loadFile } from './results/load-file.ts'
import { changeItem, converter, failItems, replaceItems } from './state.ts'
import { troubleOf } from './take-task.ts'
import { toTrouble } from './to-trouble.ts'
import { webPage } from './web-page.ts'

const looking = new Set<string>()

/**
 * Finds out what a URL leads to: the service imports it, and the first bytes tell. The conversion then uses what was
 * imported.
 */
export async function lookUp(id: string): Promise<void> {
  const given = converter.get().items.get(id)
  if (!given?.url || looking.has(id) || !mayConvert(sessionStore.get())) return
  looking.add(id)
  replaceItems([id], (item) => ({
    ...(item.stage === 'staged' ? item : withoutOutcome(item)),
    stage: 'staged',
    lookUp: 'now',
  }))
  try {
    const task = await importIt(given.url, id)
    if (task) await take(id, task)
  } catch (cause) {
    if (isWanted(id)) failItems([id], toTrouble(cause))
  } finally {
    looking.delete(id)
  }
}

/** Continues what an earlier visit, or one without a user, left open. */
export function resumeLookUps(): void {
  for (const { id, lookUp: when } of converter.get().items.values()) if (when === 'now') void lookUp(id)
}

/** The ended import of a URL; undefined if the file was removed from the list meanwhile. */
async function importIt(url: string, id: string): Promise<Task | undefined> {
  const known = converter.get().items.get(id)?.importId
  let task = (known && (await findTask(known))) || (await startImport(url))
  changeItem(id, () => ({ importId: task.id }))
  while (task.endedAt === null && isWanted(id)) {
    task = await call<Task>(`/v1/process/tasks/${task.id}`, { headers: { prefer: 'wait=10' } })
  }
  if (isWanted(id)) return task
  if (task.endedAt === null) await call(`/v1/process/tasks/${task.id}/cancel`, { method: 'POST' })
  return undefined
}

function startImport(url: string): Promise<Task> {
  return call<Task>('/v1/process/import/url', { method: 'POST', json: { url } })
}

/** The task of an earlier visit, unless the service no longer knows it. */
async function findTask(id: string): Promise<Task | undefined> {
  return call<Task>(`/v1/process/tasks/${id}`).catch((cause: unknown) => {
    if (statusOf(cause) === 404) return undefined
    throw cause
  })
}

async function take(id: string, task: Task): Promise<void> {
  const [file] = task.result.files ?? []
  if (task.status !== 'completed' || !file?.url) return failItems([id], troubleOf(task))
  const { filename = '', size } = file
  if (size === 0) return failItems([id], { code: 'file_empty', msg: '' })
  const { sniff, sniffedBytes } = await import('./sniff.ts')
  const head = await loadFile(ownPath(file.url), AbortSignal.timeout(30_000), sniffedBytes)
  const named = await sniff(head, filename)
  replaceItems([id], ({ lookUp: _lookUp, importId: _importId, ...item }) => ({
    ...item,
    ...(named.source === 'html' ? webPage : { ...named, size }),
    importedId: task.id,
  }))
}

function isWanted(id: string): boolean {
  return converter.get().items.get(id)?.lookUp === 'now'
}

import type { Task } from '@lathe/contract'
import { call } from '../../api/client.ts'
import { ownPath } from '../../api/own-path.ts'
import { wait } from '../../lib/wait.ts'
import type { Item } from '../item.ts'
import { archiveFolders } from './archive-folders.ts'

const lookEveryMs = 300
const patienceMs = 300_000
/** The most files the service packs into one ZIP. */
const mostPacked = 1000

/**
 * Lets the service pack all results into one ZIP, with their folders, and downloads it. True once the download has
 * started.
 */
export async function downloadAll(done: readonly Item[], name: string): Promise<boolean> {
  const packed = done.filter(({ convertId }) => convertId !== undefined)
  const amount = Math.ceil(packed.length / mostPacked)
  for (let n = 0; n < amount; n += 1) {
    const part = packed.slice(n * mostPacked, (n + 1) * mostPacked)
    const path = await pack(part, amount > 1 ? `${name}-${n + 1}.zip` : `${name}.zip`)
    if (path === undefined) return false
    startDownload(path)
  }
  return amount > 0
}

async function pack(items: readonly Item[], filename: string): Promise<string | undefined> {
  const input = items.flatMap(({ convertId }) => convertId ?? [])
  const json = { input, filename, archive_multiple_files: true, ...archiveFolders(items) }
  let task = await call<Task>('/v1/process/export/url', { method: 'POST', json })
  for (const until = Date.now() + patienceMs; task.endedAt === null && Date.now() < until; ) {
    await wait(lookEveryMs)
    task = await call<Task>(`/v1/process/tasks/${task.id}`)
  }
  return task.status === 'completed' && task.result.url ? ownPath(task.result.url) : undefined
}

function startDownload(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

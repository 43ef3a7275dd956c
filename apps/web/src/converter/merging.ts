import type { Job } from '@lathe/contract'
import { call } from '../api/client.ts'
import { newId } from '../lib/new-id.ts'
import { nextMoment } from './adding.ts'
import { importOf } from './create-job.ts'
import { isExpired } from './expiry.ts'
import { follow } from './following.ts'
import type { Item } from './item.ts'
import { nameJob } from './name-job.ts'
import { cancel, upload } from './running.ts'
import { converter, dissolve, failItems, partsOf, replaceItems } from './state.ts'
import { toTrouble } from './to-trouble.ts'

/** A job has at most 100 tasks: one imports each file, one may crop it, and one merges them. */
export function canMergeAtOnce(items: readonly Item[]): boolean {
  return items.reduce((sum, { edits }) => sum + (edits?.crop ? 2 : 1), 1) <= 100
}

/** The most files that one merge can have. */
export const mostMerged = 99

/** Whether a file can be merged into a PDF as it is. */
export function canMerge({ stage, source, kind, partOf }: Item): boolean {
  return stage === 'staged' && partOf === undefined && (source === 'pdf' || (kind === 'image' && source !== ''))
}

/** Merges files into one PDF, in the given order. The result replaces them in the list. */
export async function mergeFiles(ids: readonly string[], name: string): Promise<void> {
  const { items } = converter.get()
  const parts = ids.flatMap((id) => items.get(id) ?? [])
  const merged: Item = {
    id: newId(),
    addedAt: nextMoment(),
    name,
    folder: '',
    size: parts.reduce((sum, { size }) => sum + size, 0),
    source: 'pdf',
    kind: 'document',
    stage: 'waiting',
    convertedTo: 'pdf',
    parts: parts.length,
  }
  setItems([merged, ...parts.map((part): Item => ({ ...part, partOf: merged.id, stage: 'waiting', progress: 0 }))])
  try {
    const job = await createMergeJob(parts, name)
    const idOf = (task: string) => job.tasks?.find((one) => one.name === task)?.id
    const place = { jobId: job.id, stage: 'waiting', partOf: merged.id } as const
    const sent = parts.flatMap((part, n): readonly Item[] => {
      const importId = idOf(`file-${n}`)
      return importId ? [{ ...part, ...place, importId }] : [{ ...part, ...place, stage: 'done' }]
    })
    const convertId = idOf('merge')
    setItems([{ ...merged, jobId: job.id, stage: 'queued', ...(convertId && { convertId }) }, ...sent])
    follow(job.id)
    await Promise.all(parts.map(({ id }) => upload(id, job)))
    const trouble = partsOf(merged.id).flatMap((id) => converter.get().items.get(id)?.trouble ?? [])[0]
    if (trouble) {
      cancel(merged.id)
      failItems([merged.id], trouble)
    }
  } catch (cause) {
    failItems([merged.id], toTrouble(cause))
  }
}

function createMergeJob(parts: readonly Item[], filename: string): Promise<Job> {
  const imports = parts.flatMap((part, n) => (part.importedId ? [] : [[`file-${n}`, importOf(part)] as const]))
  const sources = parts.map(({ importedId }, n) => importedId ?? `file-${n}`)
  const cuts = parts.flatMap(({ edits }, n) =>
    edits?.crop ? [[`cut-${n}`, { operation: 'crop', input: sources[n], options: edits.crop }] as const] : [],
  )
  const input = parts.map(({ edits }, n) => (edits?.crop ? `cut-${n}` : sources[n]))
  const merge = { operation: 'merge', input, output_format: 'pdf', filename }
  const named = nameJob(
    parts.map(({ name }) => name),
    'pdf',
  )
  const json = { ...named, tasks: { ...Object.fromEntries([...imports, ...cuts]), merge } }
  return call<Job>('/v1/process/jobs', { method: 'POST', json })
}

/** Splits a merge: its files return to the list, and uploaded files stay uploaded until they expire. */
export function takeApart(id: string): void {
  cancel(id)
  const merged = converter.get().items.get(id)
  if (merged && isExpired(merged)) replaceItems(partsOf(id), ({ importedId, ...part }) => part)
  dissolve(id)
}

function setItems(items: readonly Item[]): void {
  converter.update((state) => ({
    ...state,
    items: new Map([...state.items, ...items.map((item) => [item.id, item] as const)]),
  }))
}

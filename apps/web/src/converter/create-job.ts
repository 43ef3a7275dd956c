import type { Job } from '@lathe/contract'
import { call } from '../api/client.ts'
import { conversionTo } from './conversion.ts'
import type { Item, Options } from './item.ts'
import { nameJob } from './name-job.ts'
import { isCaptured } from './web-page.ts'

/** What to do with one file. */
export interface Order {
  readonly item: Item
  readonly target: string
  readonly options: Options
}

/** A job has at most 100 tasks, and a file needs up to four: one to import it, two to cut it, one to convert it. */
const tasksPerJob = 100

/** Splits orders into batches that fit into one job each. */
export function toBatches(orders: readonly Order[]): readonly (readonly Order[])[] {
  const batches: Order[][] = []
  let room = 0
  for (const order of orders) {
    const needed = 2 + Object.keys(order.item.edits ?? {}).length
    if (room < needed) {
      batches.push([])
      room = tasksPerJob
    }
    batches.at(-1)?.push(order)
    room -= needed
  }
  return batches
}

/** Creates one job for several files. Tasks are named after the index of their file. */
export async function createJob(orders: readonly Order[]): Promise<Job> {
  const tasks = Object.fromEntries(
    orders.flatMap((order, n) => [
      ...(needsFile(order) ? [[`file-${n}`, importOf(order.item)]] : []),
      ...stepsOf(order, n),
    ]),
  )
  const targets = new Set(orders.map(({ target }) => target))
  const named = nameJob(
    orders.map(({ item }) => item.name),
    targets.size === 1 ? [...targets][0] : undefined,
  )
  return call<Job>('/v1/process/jobs', { method: 'POST', json: { ...named, tasks } })
}

/** Whether the service does not have the file yet, and needs it. */
export function needsFile({ item, target }: Pick<Order, 'item' | 'target'>): boolean {
  return item.importedId === undefined && !isCaptured(item, target)
}

/** The steps for a file, each using the result of the one before; the last one is followed. */
function stepsOf({ item, target, options }: Order, n: number): readonly (readonly [string, object])[] {
  if (isCaptured(item, target)) {
    return [[`convert-${n}`, { operation: 'capture', url: item.url, output_format: target }]]
  }
  const { crop, trim } = item.edits ?? {}
  const cuts = [
    ...(crop ? [{ operation: 'crop', options: crop }] : []),
    ...(trim ? [{ operation: 'trim', options: trim }] : []),
  ]
  const hasOptions = Object.keys(options).length > 0
  const conversion = { ...conversionTo(target), ...(hasOptions && { options }) }
  // A file that is only cut is not re-encoded, so it keeps its quality.
  const isCutOnly = cuts.length > 0 && target === item.source && !hasOptions
  const steps = isCutOnly ? cuts : [...cuts, conversion]
  return steps.map((step, at) => {
    const input = at === 0 ? (item.importedId ?? `file-${n}`) : `cut-${n}-${at - 1}`
    return [at === steps.length - 1 ? `convert-${n}` : `cut-${n}-${at}`, { ...step, input }]
  })
}

export function importOf({ url }: Item) {
  return url ? { operation: 'import/url', url } : { operation: 'import/upload' }
}

/** The task ids of the file at index `n`. */
export function tasksOf(job: Job, n: number): Pick<Item, 'importId' | 'convertId' | 'editIds'> {
  const idOf = (name: string) => job.tasks?.find((task) => task.name === name)?.id
  const [importId, convertId] = [idOf(`file-${n}`), idOf(`convert-${n}`)]
  const editIds = [0, 1].flatMap((at) => idOf(`cut-${n}-${at}`) ?? [])
  return { ...(importId && { importId }), ...(convertId && { convertId }), ...(editIds.length > 0 && { editIds }) }
}

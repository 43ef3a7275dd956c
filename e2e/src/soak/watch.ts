import { slopeOf } from './slope.ts'

export interface Sizes {
  /** Bytes in use after garbage collection, and the resident memory of the process. */
  readonly heap: number
  readonly rss: number
  /** Number of open files. */
  readonly files: number
}

/** Measures the worker at intervals of tasks. */
export interface Watch {
  tell(): Promise<void>
  table(): string
  faults(): readonly string[]
}

const MB = 1_000_000
// Below this, caches are still filling, and a slope means nothing.
const enoughTasks = 500
const mostMbPer100 = 1
const mostMoreFiles = 10

/** Watches `count` tasks, in spans of 100 or a tenth of them. */
export function createWatch(count: number, measure: () => Promise<Sizes>): Watch {
  const span = Math.min(100, Math.max(1, Math.floor(count / 10)))
  const rows: (Sizes & { readonly tasks: number })[] = []
  let tasks = 0
  const secondHalf = () => rows.slice(Math.floor(rows.length / 2))
  const slope = (of: 'heap' | 'rss') => slopeOf(secondHalf().map((row) => ({ x: row.tasks / 100, y: row[of] / MB })))

  return {
    async tell() {
      tasks += 1
      if (tasks % span !== 0) return
      const at = tasks
      rows.push({ tasks: at, ...(await measure()) })
    },
    table() {
      const lines = rows.map((row) => [row.tasks, (row.heap / MB).toFixed(1), (row.rss / MB).toFixed(1), row.files])
      const shown = [['tasks', 'heap MB', 'rss MB', 'files'], ...lines]
      const rises = `over the second half, per 100 tasks: heap ${slope('heap').toFixed(2)} MB, rss ${slope('rss').toFixed(2)} MB`
      return [...shown.map((cells) => cells.map((cell) => String(cell).padStart(8)).join(' ')), rises].join('\n')
    },
    faults() {
      if (tasks < enoughTasks) return []
      const moreFiles = (rows.at(-1)?.files ?? 0) - (secondHalf()[0]?.files ?? 0)
      const rising = (['heap', 'rss'] as const).filter((of) => slope(of) >= mostMbPer100)
      return [
        ...rising.map((of) => `${of} rises by ${slope(of).toFixed(2)} MB per 100 tasks`),
        ...(moreFiles <= mostMoreFiles ? [] : [`${moreFiles} more files are open than in the middle`]),
      ]
    },
  }
}

import { type Point, slopeOf } from './slope.ts'

export interface Sizes {
  /** Bytes. */
  readonly rss: number
  readonly files: number
}

/** Looks at the worker after each task, and keeps the lowest of every span: what is above it a collection frees. */
export interface Watch {
  tell(): void
  table(): string
  faults(): readonly string[]
}

const MB = 1_000_000
// Below this the heap is still finding its size, and a slope means nothing.
const enoughTasks = 500
const mostMbPer100 = 1
const mostMoreFiles = 10

/** Watches over so many tasks, in spans of 100 or a tenth of them. */
export function createWatch(count: number, measure: () => Sizes): Watch {
  const span = Math.min(100, Math.max(1, Math.floor(count / 10)))
  const rows: { tasks: number; rss: number; files: number }[] = []
  let tasks = 0
  let lowest: Sizes | undefined
  const secondHalf = () => rows.slice(Math.floor(rows.length / 2))
  const slope = () => slopeOf(secondHalf().map((row): Point => ({ x: row.tasks / 100, y: row.rss / MB })))

  return {
    tell() {
      const now = measure()
      lowest = lowest && { rss: Math.min(lowest.rss, now.rss), files: Math.min(lowest.files, now.files) }
      lowest ??= now
      tasks += 1
      if (tasks % span !== 0) return
      rows.push({ tasks, ...lowest })
      lowest = undefined
    },
    table() {
      const lines = rows.map((row) => {
        const cells = [String(row.tasks), (row.rss / MB).toFixed(1), String(row.files)]
        return cells.map((cell) => cell.padStart(8)).join(' ')
      })
      const rise = `memory rises by ${slope().toFixed(2)} MB per 100 tasks over the second half`
      return ['   tasks   rss MB    files', ...lines, rise].join('\n')
    },
    faults() {
      if (tasks < enoughTasks) return []
      const [first, last] = [secondHalf()[0], rows.at(-1)]
      const moreFiles = (last?.files ?? 0) - (first?.files ?? 0)
      return [
        ...(slope() < mostMbPer100 ? [] : [`memory rises by ${slope().toFixed(2)} MB per 100 tasks`]),
        ...(moreFiles <= mostMoreFiles ? [] : [`${moreFiles} more files are open than in the middle`]),
      ]
    },
  }
}

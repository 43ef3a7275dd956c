import { type Failure, failure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'

/** A search for the highest quality whose file is small enough. */
export interface SizeSearch {
  readonly limit: number
  /** The file whose size counts. */
  readonly file: string
  readonly encodeAt: (quality: number) => ProcessStep
  readonly end: Pick<Plan, 'outputs' | 'warnings'>
}

const lowest = 5
const highest = 95

/** Plans a binary search for the quality; the last step writes the file at the best quality found. */
export function planSizeSearch(search: SizeSearch): Plan {
  return tryAt(search, lowest, (size) => {
    if (size <= search.limit) return climb(search, { fits: lowest, above: highest + 1 })
    const text = `The image cannot be compressed to ${search.limit} bytes at this size. Reduce its width and height.`
    return failure('unsupported', { text })
  })
}

function climb(search: SizeSearch, { fits, above }: { fits: number; above: number }): Plan {
  const middle = Math.floor((fits + above) / 2)
  if (middle === fits) return { kind: 'plan', steps: [search.encodeAt(fits)], ...search.end }
  return tryAt(search, middle, (size) =>
    climb(search, size <= search.limit ? { fits: middle, above } : { fits, above: middle }),
  )
}

function tryAt(search: SizeSearch, quality: number, then: (size: number) => Plan | Failure): Plan {
  const step = search.encodeAt(quality)
  const next: Plan['next'] = ({ sizes }) => then(sizes[search.file] ?? Number.POSITIVE_INFINITY)
  return { kind: 'plan', steps: [step], outputs: search.end.outputs, warnings: [], next }
}

import type { PlanBench } from '@lathe/testing'
import type { Facts } from '../inspect/facts.ts'
import { inspect } from '../inspect/inspect.ts'
import { look, read } from '../inspect/look.ts'

/** How a conversion ended, by the service or by the plain tool, and what another program found in the result. */
export interface Outcome {
  /** `converted`, or the reason: a failure code of the service, or how the tool ended. */
  readonly end: string
  /** The message to the user. */
  readonly text?: string
  readonly warnings?: readonly string[]
  readonly ms: number
  readonly facts?: Facts
  /** The fingerprint of the first visible content. */
  readonly look?: string
}

/** An output file. */
export interface Made {
  readonly format: string
  readonly bytes: Buffer
}

/** An outcome with the words of the result, which are too many to keep in the results. */
export interface Judged {
  readonly outcome: Outcome
  readonly words: string
}

const worded = new Set(['pdf', 'txt', 'docx', 'html', 'csv', 'xlsx', 'pptx'])

/** Opens the outputs with the inspectors: several images of one document count as its pages. */
export async function judge(bench: PlanBench, made: readonly Made[], ended: Omit<Outcome, 'end'>): Promise<Judged> {
  const [first] = made
  if (first === undefined) return { outcome: { ...ended, end: 'no output' }, words: '' }
  try {
    const facts = isPlain(first) ? { format: first.format } : await inspect(bench, first)
    // A recording without a sample is not a result, whichever tool wrote it.
    const isEmpty = facts.videoCodec === undefined && facts.durationMs === 0
    if (isEmpty) return { outcome: { ...ended, end: 'empty output' }, words: '' }
    const pages = made.length > 1 ? made.length : facts.pages
    const seen = await look(bench, first).catch(() => undefined)
    const words = worded.has(first.format) ? await read(bench, first) : ''
    const outcome = {
      ...ended,
      end: 'converted',
      facts: { ...facts, ...(pages && { pages }) },
      ...(seen && { look: seen }),
    }
    return { outcome, words }
  } catch (error) {
    return { outcome: { ...ended, end: 'unreadable output', text: (error as Error).message.slice(0, 300) }, words: '' }
  }
}

// Blank output is right for a blank input, and one column for a one-column table; an inspector cannot know that.
function isPlain({ format, bytes }: Made): boolean {
  if (format !== 'txt' && format !== 'csv') return false
  const text = bytes.toString().trim()
  return text === '' || (format === 'csv' && !/[,;\t]/.test(text))
}

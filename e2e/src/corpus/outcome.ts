import type { PlanBench } from '@lathe/testing'
import type { Facts } from '../inspect/facts.ts'
import { inspect } from '../inspect/inspect.ts'
import { look, read } from '../inspect/look.ts'

/** How a conversion ended, of the service or of the bare tool, and what came out when another program opened it. */
export interface Outcome {
  /** `converted`, or why not: a failure code of the service, or what the tool ended with. */
  readonly end: string
  /** What the user was told. */
  readonly text?: string
  readonly warnings?: readonly string[]
  readonly ms: number
  readonly facts?: Facts
  /** The fingerprint of what a person sees first. */
  readonly look?: string
}

/** A file that came out. */
export interface Made {
  readonly format: string
  readonly bytes: Buffer
}

/** An outcome with the words that came out, which are too many to keep in the results. */
export interface Judged {
  readonly outcome: Outcome
  readonly words: string
}

const worded = new Set(['pdf', 'txt', 'docx', 'html', 'csv', 'xlsx', 'pptx'])

/** Opens what came out with the inspectors: several images of one document count as its pages. */
export async function judge(bench: PlanBench, made: readonly Made[], ended: Omit<Outcome, 'end'>): Promise<Judged> {
  const [first] = made
  if (first === undefined) return { outcome: { ...ended, end: 'no output' }, words: '' }
  try {
    const facts = isPlain(first) ? { format: first.format } : await inspect(bench, first)
    // A recording without a sample is no result, whoever wrote it.
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

// Blank output is right for a blank input, and one column for a table of one, which is nothing an inspector could know.
function isPlain({ format, bytes }: Made): boolean {
  if (format !== 'txt' && format !== 'csv') return false
  const text = bytes.toString().trim()
  return text === '' || (format === 'csv' && !/[,;\t]/.test(text))
}

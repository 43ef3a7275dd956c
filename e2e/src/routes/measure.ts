import { isFailure } from '@lathe/domain'
import { findAbility } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import type { PlanBench } from '@lathe/testing'
import { inspect } from '../inspect/inspect.ts'
import { read } from '../inspect/look.ts'
import { isOffice } from '../inspect/open-office.ts'
import { isPicture } from '../inspect/open-picture.ts'
import { directEngine } from './find-candidates.ts'

/** The result of a conversion: the first file, as input of the next step. */
export interface Made {
  readonly format: string
  readonly bytes: Buffer
  readonly ms: number
}

/** Converts, opens the output, and measures the time; undefined if that failed. */
export async function convert(
  bench: PlanBench,
  { format, content }: { readonly format: string; readonly content: Uint8Array },
  to: string,
): Promise<Made | undefined> {
  const started = performance.now()
  const options = hasPages(format, to) ? { pages: '1' } : {}
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  const ms = Math.round(performance.now() - started)
  const first = isFailure(end) ? undefined : end.files[0]
  if (isFailure(end) || first === undefined) return undefined
  try {
    await inspect(bench, { format: to, bytes: first.bytes })
  } catch {
    return undefined
  }
  return { format: to, bytes: first.bytes, ms }
}

/** One page as an image is as good as all of them. */
function hasPages(from: string, to: string): boolean {
  const options = findAbility('convert', from, to)?.options ?? []
  return isPicture(to) && options.some(({ name }) => name === 'pages')
}

/** The words in a file; undefined for images. */
export async function wordsOf(bench: PlanBench, made: Pick<Made, 'format' | 'bytes'>): Promise<Words | undefined> {
  const { format, bytes } = made
  if (isPicture(format) || format === 'svg' || findFormat(format)?.family === 'image') return undefined
  if (format === 'pdf' || format === 'html' || isOffice(format)) return countWords(await read(bench, made))
  if (isPlain(bytes)) return countWords(bytes.toString())
  const via = ['txt', 'html', 'pdf', 'csv'].find((to) => directEngine(format, to))
  const text = via && (await convert(bench, { format, content: bytes }, via))
  if (!text) return new Map()
  return countWords(text.format === 'csv' ? text.bytes.toString() : await read(bench, text))
}

const isPlain = (bytes: Buffer) => !bytes.subarray(0, 4096).includes(0) && !bytes.subarray(0, 2).equals(zip)
const zip = Buffer.from('PK')

/** How often each word occurs. */
export type Words = ReadonlyMap<string, number>

function countWords(text: string): Words {
  const counts = new Map<string, number>()
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The share of the words that is found again; 1 if there are none. */
export function shareKept(before: Words, after: Words): number {
  let all = 0
  let kept = 0
  for (const [word, count] of before) {
    all += count
    kept += Math.min(count, after.get(word) ?? 0)
  }
  return all === 0 ? 1 : kept / all
}

/**
 * How many headings, lists, tables, links and images Pandoc finds: the structure of a text in addition to its words.
 */
export async function structureOf(bench: PlanBench, { format, bytes }: Made): Promise<number | undefined> {
  if (!['docx', 'odt', 'html'].includes(format)) return undefined
  const file = `in.${format}`
  const args = ['--sandbox', '-f', format, '-t', 'html', '-o', 'out.html', file]
  const { outputs } = await bench.tool('pandoc', args, { files: { [file]: bytes }, outputs: ['out.html'] })
  const found = outputs['out.html']?.toString().match(/<(h[1-6]|li|tr|img|a|em|strong|blockquote)[ >]/g) ?? []
  return found.length
}

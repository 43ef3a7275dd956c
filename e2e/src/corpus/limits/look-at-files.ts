import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { findFormat } from '@lathe/formats'
import type { PlanBench } from '@lathe/testing'
import type { RealFile } from '../collect-files.ts'
import { settleFormat } from '../settle-format.ts'
import { lookScript } from './look-script.ts'

/** What the headers of a file state, by method; absent if the file could not be read. */
export interface Look {
  readonly name: string
  /** The format that the service detects. */
  readonly format: string
  readonly content: Buffer
  readonly zip?: ZipLook
  readonly image?: { readonly width: number; readonly height: number; readonly frames: number }
  readonly media?: MediaLook
  readonly pdf?: { readonly pages: number; readonly points: number }
  readonly mail?: { readonly messages: number; readonly attachments: number }
}

export interface ZipLook {
  /** Including those of archives inside. */
  readonly entries: number
  readonly bytes: number
  readonly packed: number
  readonly depth: number
  /** Entries of the archive itself. */
  readonly own: number
  /** Bytes of its largest image, and pixels of the image that has most. */
  readonly image: number
  readonly pixels: number
  /** Its size as a single page with images in base64. */
  readonly page: number
}

export interface MediaLook {
  readonly side: number
  readonly rate: number
  readonly streams: number
  readonly chapters: number
  readonly seconds: number
}

interface Loaded {
  readonly name: string
  readonly format: string
  readonly content: Buffer
}

const most = { files: 200, bytes: 64 * 1024 ** 2 }

/** Probes every file in the sandbox, many in one run, and passes each result to `see`. */
export async function lookAtFiles(
  bench: PlanBench,
  files: readonly RealFile[],
  see: (look: Look) => void,
): Promise<void> {
  let heap: Loaded[] = []
  const end = async () => {
    await lookAtHeap(bench, heap, see)
    heap = []
  }
  for (const { path, name } of files) {
    const content = await readFile(path)
    heap.push({ name, format: await settleFormat(content, basename(path)), content })
    if (heap.length === most.files || heap.reduce((sum, one) => sum + one.content.length, 0) > most.bytes) await end()
  }
  await end()
}

/** Runs the script until every file is done: a file that ends the script is skipped. */
async function lookAtHeap(bench: PlanBench, heap: readonly Loaded[], see: (look: Look) => void): Promise<void> {
  let left = heap.map((one, n) => ({ ...one, n, file: `${n}.${/^[a-z0-9]{1,10}$/.exec(one.format)?.[0] ?? 'bin'}` }))
  while (left.length > 0) {
    const list = left.map(({ n, file, format, content }) => [n, [file, format, looksFor(format, content)]])
    const named = left.map(({ file, content }) => [file, content] as const)
    const { stdout } = await bench.tool('python3', ['-E', '-s', '-B', 'look.py'], {
      files: { ...Object.fromEntries(named), 'look.py': lookScript, 'list.json': JSON.stringify(list) },
    })
    const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const begun = new Set<number>(lines.flatMap(({ begins }) => (begins === undefined ? [] : [begins])))
    for (const { n, begins: _, ...found } of lines) {
      const own = n === undefined ? undefined : heap[n]
      if (own) see({ ...own, ...found })
    }
    // A run that did not even start would fail again.
    if (begun.size === 0) return
    left = left.filter(({ n }) => !begun.has(n))
  }
}

const mail = new Set(['eml', 'mbox', 'msg'])

function looksFor(format: string, content: Buffer): readonly string[] {
  const family = findFormat(format)?.family
  return [
    ...(content.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')) ? ['zip'] : []),
    ...(family === 'image' && format !== 'svg' ? ['image'] : []),
    ...(family === 'audio' || family === 'video' ? ['media'] : []),
    ...(format === 'pdf' ? ['pdf'] : []),
    ...(mail.has(format) ? ['mail'] : []),
  ]
}

import { LatheError } from './errors.ts'

/** What can be uploaded: the path of a file (Node.js, Bun), a Blob or File, bytes, or a stream with its size. */
export type Source = string | Blob | Uint8Array | { readonly stream: ReadableStream<Uint8Array>; readonly size: number }

/** What can be processed: what can be uploaded, or a URL, which the service fetches itself. */
export type Input = Source | URL

/** A source that is read in parts. */
export interface OpenSource {
  readonly name: string
  readonly size: number
  /** When its content was changed last, if that is known; undefined if it can be read only once. */
  readonly version: string | undefined
  /** The bytes from `from` to `to`. A stream can return each part once, in order, or the last one again. */
  part(from: number, to: number): Promise<Blob>
}

/** Opens a source for upload. A given name overrides that of the file. */
export async function openSource(source: Source, name?: string): Promise<OpenSource> {
  if (typeof source === 'string') return openPath(source, name)
  if (source instanceof Uint8Array) return ofBlob(new Blob([source as Uint8Array<ArrayBuffer>]), name)
  if ('stream' in source && !(source instanceof Blob)) return ofStream(source, name)
  return ofBlob(source, name ?? ('name' in source ? String(source.name) : undefined))
}

function ofBlob(blob: Blob, name = 'file'): OpenSource {
  const version = 'lastModified' in blob ? String(blob.lastModified) : ''
  return { name, size: blob.size, version, part: async (from, to) => blob.slice(from, to) }
}

interface Files {
  openAsBlob?(path: string): Promise<Blob>
  statSync(path: string): { readonly mtimeMs: number }
}

async function openPath(path: string, name = path.split(/[/\\]/).at(-1)): Promise<OpenSource> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const fs = process?.getBuiltinModule?.('node:fs') as Files | undefined
  if (!fs?.openAsBlob) throw new LatheError('Paths can be read in Node.js and Bun only. Give a Blob or File.')
  return { ...ofBlob(await fs.openAsBlob(path), name), version: String(fs.statSync(path).mtimeMs) }
}

function ofStream({ stream, size }: Exclude<Source, string | Blob | Uint8Array>, name = 'file'): OpenSource {
  const reader = stream.getReader()
  let rest: Uint8Array = new Uint8Array()
  let last: { readonly from: number; readonly blob: Blob } = { from: -1, blob: new Blob([]) }
  let at = 0
  return {
    name,
    size,
    version: undefined,
    async part(from, to) {
      const again = from - last.from
      if (last.from >= 0 && again >= 0 && again < last.blob.size) return last.blob.slice(again, to - last.from)
      if (from !== at)
        throw new LatheError('A stream cannot be read again. Upload a file or Blob to be able to resume.')
      const pieces: Uint8Array[] = []
      let missing = to - from
      while (missing > 0) {
        if (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) throw new LatheError(`The stream ended after ${to - missing} of ${size} bytes.`)
          rest = value
        }
        const taken = rest.subarray(0, missing)
        rest = rest.subarray(taken.length)
        missing -= taken.length
        pieces.push(taken)
      }
      at = to
      last = { from, blob: new Blob(pieces as Uint8Array<ArrayBuffer>[]) }
      return last.blob
    },
  }
}

import { LatheError } from './errors.ts'

/** What can be uploaded: the path of a file (Node.js, Bun), a Blob or File, bytes, or a stream with its size. */
export type Source = string | Blob | Uint8Array | { readonly stream: ReadableStream<Uint8Array>; readonly size: number }

/** A source that is read in parts. */
export interface OpenSource {
  readonly name: string
  readonly size: number
  /** The bytes from `from` to `to`. A stream can give each part once, in order, or the last one again. */
  part(from: number, to: number): Promise<Blob>
}

/** Opens a source for upload. A given name overrides that of the file. */
export async function openSource(source: Source, name?: string): Promise<OpenSource> {
  if (typeof source === 'string') return ofBlob(await openPath(source), name ?? source.split(/[/\\]/).at(-1))
  if (source instanceof Uint8Array) return ofBlob(new Blob([source as Uint8Array<ArrayBuffer>]), name)
  if ('stream' in source && !(source instanceof Blob)) return ofStream(source, name)
  return ofBlob(source, name ?? ('name' in source ? String(source.name) : undefined))
}

function ofBlob(blob: Blob, name = 'file'): OpenSource {
  return { name, size: blob.size, part: async (from, to) => blob.slice(from, to) }
}

async function openPath(path: string): Promise<Blob> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const fs = process?.getBuiltinModule?.('node:fs') as { openAsBlob?(path: string): Promise<Blob> } | undefined
  if (!fs?.openAsBlob) throw new LatheError('Paths can be read in Node.js, Bun and Deno only. Give a Blob or File.')
  return fs.openAsBlob(path)
}

function ofStream({ stream, size }: Exclude<Source, string | Blob | Uint8Array>, name = 'file'): OpenSource {
  const reader = stream.getReader()
  let rest: Uint8Array = new Uint8Array()
  let last: { readonly from: number; readonly blob: Blob } = { from: -1, blob: new Blob([]) }
  let at = 0
  return {
    name,
    size,
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

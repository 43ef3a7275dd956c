import { detectFormat, detectionBytes } from './detect.ts'
import { splitName } from './filename.ts'
import { resolveFormat } from './resolve.ts'

/** Keeps the first bytes of a stream while it passes through, to detect its format. */
export interface HeadWatch {
  watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** The format of the stream: by its bytes, then by its name; `bin` if neither is known. */
  formatOf(filename: string): string
}

/** Watches one stream; memory is bounded by `detectionBytes`. */
export function createHeadWatch(): HeadWatch {
  const head = new Uint8Array(detectionBytes)
  let length = 0
  return {
    async *watch(source) {
      for await (const chunk of source) {
        const part = chunk.subarray(0, detectionBytes - length)
        head.set(part, length)
        length += part.length
        yield chunk
      }
    },
    formatOf(filename) {
      return formatOfFile(head.subarray(0, length), filename)
    },
  }
}

/** The format of a new file: by its first bytes, then by its name; `bin` if neither is known. */
export function formatOfFile(head: Uint8Array, filename: string): string {
  const { ext, recognised } = resolveFormat({ detected: detectFormat(head), filename })
  return ext ?? recognised ?? (splitName(filename).ext.toLowerCase() || 'bin')
}

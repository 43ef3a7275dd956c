import type { ImportContext } from '../connector.ts'

export interface FakeOptions {
  readonly staged?: readonly string[]
  readonly maxSize?: number
  readonly signal?: AbortSignal
  /** Storage reads the whole source, then fails with this error. */
  readonly saveFails?: Error
}

export interface Saved {
  readonly filename: string
  readonly text: string
}

/** A task's context that keeps everything in memory. Saving is all or nothing, as in storage. */
export function createFakeContext(options: FakeOptions = {}) {
  const saved: Saved[] = []
  const contents: Buffer[] = []
  const shares: number[] = []
  const warnings: string[] = []
  const context: ImportContext = {
    signal: options.signal ?? new AbortController().signal,
    ownerId: '0123456789abcdef01234567',
    maxSize: options.maxSize ?? 1_000_000,
    async save(filename, source) {
      const chunks: Uint8Array[] = []
      for await (const chunk of source) chunks.push(chunk)
      if (options.saveFails) throw options.saveFails
      const bytes = Buffer.concat(chunks)
      contents.push(bytes)
      saved.push({ filename, text: bytes.toString() })
    },
    async openStaged() {
      const chunks = (options.staged ?? []).map((text) => Buffer.from(text))
      return (async function* () {
        yield* chunks
      })()
    },
    warn: (text) => void warnings.push(text),
    progress: (share) => void shares.push(share),
  }
  return { context, saved, contents, shares, warnings }
}

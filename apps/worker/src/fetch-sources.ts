import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync, constants as zlib } from 'node:zlib'
import type { FileRecord } from '@lathe/database'
import { type Failure, failure, isFailure, nameFile } from '@lathe/domain'
import type { SourceFile } from '@lathe/engines'
import {
  type Detected,
  describeFormat,
  detectFormat,
  detectionBytes,
  type FileAccess,
  findFormat,
  lookCloser,
  resolveFormat,
  wantsCloserLook,
} from '@lathe/formats'
import { type ProcessingOperation, rolesOf, takesAnyFormat } from '@lathe/operations'
import type { JobFolder } from '@lathe/sandbox'
import type { Services } from './services.ts'
import type { TaskRun } from './task-run.ts'
import { unpackDrawing } from './unpack-drawing.ts'

export interface Fetched {
  readonly sources: readonly SourceFile[]
  /** Further files by role. */
  readonly roles: Readonly<Record<string, SourceFile>>
  readonly warnings: readonly string[]
}

/** Streams the inputs into the job folder under our own names, and determines the format of each. */
export async function fetchSources(
  services: Pick<Services, 'store'>,
  run: Pick<TaskRun, 'claim' | 'signal'>,
  folder: JobFolder,
  inputs: readonly FileRecord[],
  roles: Readonly<Record<string, FileRecord>> = {},
): Promise<Fetched | Failure> {
  const { operation, payload } = run.claim.task
  const declared = payload.input_format
  const isAny = takesAnyFormat(operation as ProcessingOperation)
  const sources: SourceFile[] = []
  const warnings: string[] = []
  for (const [i, file] of inputs.entries()) {
    const fetched = await fetchFile(services, run, { folder, i, file, declared, isAny })
    if (isFailure(fetched)) return fetched
    sources.push(fetched.source)
    if (fetched.warning) warnings.push(fetched.warning)
  }
  const playing: Record<string, SourceFile> = {}
  for (const [n, [role, file]] of Object.entries(roles).entries()) {
    const fetched = await fetchFile(services, run, { folder, i: inputs.length + n, file })
    const refused = isFailure(fetched) ? fetched : checkRole(operation, role, fetched.source, sources)
    if (refused) return nameFile(`The ${role}`, refused)
    if (!isFailure(fetched)) playing[role] = fetched.source
  }
  return { sources, roles: playing, warnings }
}

/** Only the file shows whether a role accepts it: refuses a file of a format that the role does not accept. */
function checkRole(
  operation: string,
  role: string,
  { format }: SourceFile,
  [first]: readonly SourceFile[],
): Failure | undefined {
  const taken = rolesOf(operation)[role]?.formats ?? (first ? [first.format] : [])
  if (taken.includes(format)) return undefined
  return failure('unsupported', { text: `It is ${describeFormat(format) ?? format}. Possible: ${taken.join(', ')}.` })
}

interface Wanted {
  readonly folder: JobFolder
  /** The number in its name. */
  readonly i: number
  readonly file: FileRecord
  readonly declared?: string | undefined
  /** Whether it is accepted in any format. */
  readonly isAny?: boolean
}

async function fetchFile(
  { store }: Pick<Services, 'store'>,
  { signal }: Pick<TaskRun, 'signal'>,
  { folder, i, file: { key, filename, size, format: known, folder: place }, declared, isAny }: Wanted,
): Promise<{ readonly source: SourceFile; readonly warning?: string | undefined } | Failure> {
  const body = await store.open(key, { signal })
  if (!body) return failure('input_expired')
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const decide = (detected: Detected | undefined) =>
    isAny ? { format: findFormat(known)?.ext ?? 'bin' } : settle({ detected, declared, filename })
  try {
    const { head, isWhole } = await readHead(chunks)
    const rest = isWhole ? undefined : chunks
    const settled =
      !isAny && wantsCloserLook(head)
        ? await storeThenLook(folder, i, { head, rest, decide, signal })
        : await lookThenStore(folder, i, { head, rest, decide, signal })
    if (isFailure(settled)) return settled
    const { format, file, warning } = settled
    const source = { file, format, size: settled.size ?? size, filename, ...(place && { folder: place }) }
    return { source, warning }
  } finally {
    // Closes a download that was not read to its end.
    await chunks.return?.()
  }
}

interface Settled {
  readonly format: string
  readonly warning?: string | undefined
  readonly isPacked?: boolean
}

interface Incoming {
  readonly head: Buffer
  readonly rest: AsyncIterator<Buffer> | undefined
  decide(detected: Detected | undefined): Settled | Failure
  readonly signal: AbortSignal
}

type Stored = Settled & {
  readonly file: string
  /** Set if it differs from the size of the download. */
  readonly size?: number
}

function settle(facts: Parameters<typeof resolveFormat>[0]): Settled | Failure {
  const { ext, warning, refusal, isPacked = false } = resolveFormat(facts)
  if (refusal) return failure(refusal.code, { text: refusal.text })
  if (!ext) return failure('unsupported', { text: 'The format of the input is not known. Name it as input_format.' })
  return { format: ext, warning, isPacked }
}

// Some engines go by the extension, so it reflects the actual format and never the owner's filename.
const nameOf = (i: number, format: string) => `in-${i}.${format}`

// The head of most files shows their format: unreadable files are refused before the rest is fetched.
async function lookThenStore(
  folder: JobFolder,
  i: number,
  { head, rest, decide }: Incoming,
): Promise<Stored | Failure> {
  const settled = decide(detectFormat(head))
  if (isFailure(settled)) return settled
  const file = nameOf(i, settled.format)
  await using target = await folder.createFile(file)
  await writeAll(target, head, rest)
  return { ...settled, file }
}

// Other formats keep their list of contents at the end of the file.
async function storeThenLook(
  folder: JobFolder,
  i: number,
  { head, rest, decide, signal }: Incoming,
): Promise<Stored | Failure> {
  const unnamed = `in-${i}`
  {
    await using target = await folder.createFile(unnamed)
    await writeAll(target, head, rest)
  }
  const path = join(folder.path, unnamed)
  const settled = decide(await lookAt(path, head))
  if (isFailure(settled)) return settled
  const file = nameOf(i, settled.format)
  if (!settled.isPacked) {
    await rename(path, join(folder.path, file))
    return { ...settled, file }
  }
  // Engines never see compressed drawings: their guards check the contents.
  await using target = await folder.createFile(file)
  const size = await unpackDrawing({ path, target, signal })
  if (isFailure(size)) return size
  await rm(path)
  return { ...settled, file, size }
}

async function lookAt(path: string, head: Buffer): Promise<Detected | undefined> {
  await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const { size } = await handle.stat()
  const access: FileAccess = {
    size,
    inflate,
    async readAt(offset, length) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    },
  }
  return await lookCloser(head, access)
}

function inflate(packed: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  try {
    // Truncated data yields its decompressed part.
    return inflateRawSync(packed, { maxOutputLength, finishFlush: zlib.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}

// Each write is handed to another thread, so many chunks are written at once.
const batchBytes = 2 ** 20

async function writeAll(target: FileHandle, head: Buffer, rest: AsyncIterator<Buffer> | undefined): Promise<void> {
  let batch = [head]
  let length = head.length
  for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) {
    batch.push(next.value)
    length += next.value.length
    if (length < batchBytes) continue
    await target.writev(batch)
    batch = []
    length = 0
  }
  if (length > 0) await target.writev(batch)
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = []
  for (let length = 0; length < detectionBytes; ) {
    const next = await chunks.next()
    if (next.done) return { head: Buffer.concat(parts), isWhole: true }
    parts.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(parts), isWhole: false }
}

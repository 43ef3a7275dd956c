import type { JobHandle, Lathe, NewJob, Operation } from '@lathe/sdk'
import type { PathCheck } from './allowed-paths.ts'
import { checkInlineSize, type InlineFile, parseDataUri } from './data-uri.ts'
import type { LocalFile } from './uploads.ts'

/** The source of a file: a URL, a requested upload, data in the call, or a path. */
export type FileSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'data'; readonly file: InlineFile }
  | { readonly kind: 'path'; readonly path: string }

/** Parses the file argument of a model. */
export function toSource(given: string, checkPath: PathCheck | undefined): FileSource {
  const file = parseDataUri(given)
  if (file) return { kind: 'data', file }
  if (/^https?:\/\//i.test(given)) return { kind: 'url', url: given }
  if (/^[0-9a-f]{24}$/i.test(given)) return { kind: 'task', id: given }
  if (checkPath) return { kind: 'path', path: checkPath(given) }
  throw new Error(
    `file: ${given} is no URL, upload handle or data URI. Call request_upload first, and upload the file.`,
  )
}

interface Processing {
  readonly operation: Operation
  readonly output_format?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly filename?: string
  /** Files in addition to the inputs, by the field that names them. */
  readonly roles?: Readonly<Record<string, FileSource>>
}

/** Creates a job with one operation on files. Returns the local ones, which must be uploaded. */
export async function startJob(
  lathe: Lathe,
  sources: readonly FileSource[],
  { roles = {}, ...task }: Processing,
  signal: AbortSignal,
): Promise<{ readonly job: JobHandle; readonly local: readonly LocalFile[] }> {
  const named = sources.map((source, n) => [`file-${n + 1}`, source] as const)
  const all = [...named, ...Object.entries(roles)]
  checkInlineSize(all.flatMap(([, source]) => (source.kind === 'data' ? [source.file] : [])))
  const imports = all.flatMap(([name, source]): [string, object][] => {
    if (source.kind === 'url') return [[name, { operation: 'import/url', url: source.url }]]
    if (source.kind === 'data') {
      const { uri, filename } = source.file
      return [[name, { operation: 'import/base64', file: uri, filename }]]
    }
    return source.kind === 'path' ? [[name, { operation: 'import/upload' }]] : []
  })
  const refer = ([name, source]: readonly [string, FileSource]) => (source.kind === 'task' ? source.id : name)
  const beside = Object.fromEntries(Object.entries(roles).map((one) => [one[0], refer(one)]))
  const result = { ...task, ...beside, input: named.map(refer) }
  const tasks = { ...Object.fromEntries(imports), result } as unknown as NewJob<string>['tasks']
  const job = await lathe.jobs.create({ tasks }, { signal })
  const local = all.flatMap(([task, source]) => (source.kind === 'path' ? [{ task, path: source.path }] : []))
  return { job, local }
}

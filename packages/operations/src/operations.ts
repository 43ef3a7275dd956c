import type { OperationKind } from '@lathe/domain'
import type { Static, TSchema } from 'typebox'
import { importBase64 } from './connectors/base64.ts'
import { exportBlobstore, importBlobstore } from './connectors/blobstore.ts'
import { capture } from './connectors/capture.ts'
import { exportObjstoreA, importObjstoreA } from './connectors/objstore-a.ts'
import { exportObjstoreB, importObjstoreB } from './connectors/objstore-b.ts'
import { exportSftp, importSftp } from './connectors/sftp.ts'
import { importUpload } from './connectors/upload.ts'
import { exportUrl, importUrl } from './connectors/url.ts'
import { importWebpage } from './connectors/webpage.ts'
import type { AnyOperation, ExportOperation, ImportOperation, ProcessOperation } from './define.ts'
import { isSecret, isWebAddress } from './fields.ts'
import { archive } from './process/archive.ts'
import { compare } from './process/compare.ts'
import { compress } from './process/compress.ts'
import { convert } from './process/convert.ts'
import { crop } from './process/crop.ts'
import { decrypt } from './process/decrypt.ts'
import { encrypt } from './process/encrypt.ts'
import { extract } from './process/extract.ts'
import { flatten } from './process/flatten.ts'
import { merge } from './process/merge.ts'
import { metadata } from './process/metadata.ts'
import { ocr } from './process/ocr.ts'
import { optimize } from './process/optimize.ts'
import { reorder } from './process/reorder.ts'
import { rotate } from './process/rotate.ts'
import { split } from './process/split.ts'
import { thumbnail } from './process/thumbnail.ts'
import { transcribe } from './process/transcribe.ts'
import { trim } from './process/trim.ts'
import { watermark } from './process/watermark.ts'

/** All operations. A new one is a line here; endpoints, rules and documentation follow from its definition. */
const list = [
  importUpload,
  importUrl,
  importBase64,
  importWebpage,
  capture,
  importObjstoreA,
  importObjstoreB,
  importBlobstore,
  importSftp,
  convert,
  compress,
  merge,
  crop,
  trim,
  rotate,
  reorder,
  split,
  flatten,
  encrypt,
  decrypt,
  ocr,
  transcribe,
  thumbnail,
  watermark,
  compare,
  optimize,
  extract,
  archive,
  metadata,
  exportUrl,
  exportObjstoreA,
  exportObjstoreB,
  exportBlobstore,
  exportSftp,
] as const

type Listed = (typeof list)[number]
export type Operation = Listed['name']
export type ProcessingOperation = Extract<Listed, { kind: 'process' }>['name']

/** The body of an operation's requests. */
export type BodyOf<Name extends Operation> = Static<Extract<Listed, { name: Name }>['body']>

const byName: ReadonlyMap<string, AnyOperation> = new Map(list.map((operation) => [operation.name, operation]))

export const operations: readonly Operation[] = list.map(({ name }) => name)
export const processingOperations: readonly ProcessingOperation[] = list.flatMap((one) =>
  one.kind === 'process' ? [one.name] : [],
)

export function isOperation(name: string): name is Operation {
  return byName.has(name)
}

export function isProcessing(name: Operation): name is ProcessingOperation {
  return kindOf(name) === 'process'
}

export function kindOf(name: Operation): OperationKind {
  return findOperation(name).kind
}

/** The definition of an operation. */
export function findOperation(name: ProcessingOperation): ProcessOperation
export function findOperation(name: Operation): AnyOperation
export function findOperation(name: Operation): AnyOperation {
  const found = byName.get(name)
  // Only reachable with a name that was not checked by isOperation.
  if (!found) throw new Error(`There is no operation ${name}.`)
  return found
}

/** The definition of an operation, if it is an import. */
export function asImport(name: Operation): ImportOperation | undefined {
  const found = findOperation(name)
  return found.kind === 'import' ? found : undefined
}

/** The definition of an operation, if it is an export. */
export function asExport(name: Operation): ExportOperation | undefined {
  const found = findOperation(name)
  return found.kind === 'export' ? found : undefined
}

/** Whether the task waits for the client's upload instead of a worker. */
export function isUpload(name: Operation): boolean {
  return asImport(name)?.waitsForUpload === true
}

/** The operations whose tasks wait for the client's upload. */
export const uploadOperations: readonly Operation[] = operations.filter(isUpload)

/** Whether a task of this operation stores files in the service. Exports to other storage do not. */
export function storesFiles(name: Operation): boolean {
  const operation = findOperation(name)
  return operation.kind !== 'export' || operation.keepsFiles === true
}

/** Whether the result keeps the format of its input. */
export function keepsFormat(name: ProcessingOperation): boolean {
  return findOperation(name).output === 'same'
}

/** The format of the result if the request names none. */
export function usualOutput(name: ProcessingOperation, input: string | undefined): string | undefined {
  const { output } = findOperation(name)
  if (output === 'chosen') return undefined
  return output === 'same' || output === 'contents' ? input : output.usual
}

/** Whether requests can name a format of the result that differs from that of the input. */
export function takesOutputFormat(name: ProcessingOperation): boolean {
  const { output } = findOperation(name)
  return output !== 'same' && output !== 'contents'
}

/** Whether only the result shows which format it has. */
export function isFormatOpen(name: ProcessingOperation): boolean {
  return findOperation(name).output === 'contents'
}

/** Whether the operation needs more than one file. */
export function needsSeveral(name: Operation): boolean {
  const operation = findOperation(name)
  return operation.kind === 'process' && (operation.inputs.least ?? 1) > 1
}

/** Whether all files of a task make one result. */
export function takesTogether(name: ProcessingOperation): boolean {
  return findOperation(name).inputs.files === 'together'
}

/** Whether formats that no engine connects may be connected by several steps. */
export function mayTakeSteps(name: ProcessingOperation): boolean {
  return findOperation(name).mayTakeSteps === true
}

/** Whether files of every format are accepted. */
export function takesAnyFormat(name: ProcessingOperation): boolean {
  return findOperation(name).inputs.formats === 'any'
}

/** Fields of any operation whose values are shown as `***`. */
export const secretFields = fieldsWhere(isSecret)

/** Fields of any operation that contain an http or https URL; a password in it is shown as `***`. */
export const addressFields = fieldsWhere(isWebAddress)

function fieldsWhere(holds: (field: TSchema) => boolean): ReadonlySet<string> {
  const fields = list.flatMap(({ body }) => Object.entries(body.properties))
  return new Set(fields.flatMap(([name, field]) => (holds(field) ? [name] : [])))
}

import { kindOf, type Operation } from '@lathe/domain'
import { availableOperations, unavailableOperations } from '../available-operations.ts'
import { taskBodies } from '../bodies/bodies.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

type Words = readonly [operation: Operation, summary: string, description: string]

const names = {
  importUpload: ['import/upload', 'Import a file by upload', 'Answers a form; the file is then posted to it.'],
  importUrl: ['import/url', 'Import a file from an address', 'Fetches a file over http or https.'],
  importBase64: ['import/base64', 'Import a file sent as base64', 'For small files, inside the request.'],
  importWebpage: ['import/webpage', 'Import a web page', 'Renders a page and keeps it whole.'],
  importObjstoreA: ['import/objstore_a', 'Import from a bucket of the first kind', 'Fetches an object.'],
  importObjstoreB: ['import/objstore_b', 'Import from a bucket of the second kind', 'Fetches an object.'],
  importBlobstore: ['import/blobstore', 'Import from a blob store', 'Fetches a blob.'],
  importSftp: ['import/sftp', 'Import from an SFTP server', 'Fetches a file.'],
  convert: ['convert', 'Convert files', 'Turns every file of its inputs into another format.'],
  compress: ['compress', 'Compress files', 'Makes every file of its inputs smaller and keeps the format.'],
  merge: ['merge', 'Merge files', 'Makes one file of two or more images and pdf files, in the order of `input`.'],
  crop: ['crop', 'Crop files', 'Cuts out `x`, `y`, `width`, `height`, given in `options`.'],
  trim: ['trim', 'Trim files', 'Keeps the part from `start` to `end`, or the `pages`, given in `options`.'],
  exportUrl: ['export/url', 'Export to a download address', 'Makes signed links that live for 4 hours.'],
  exportObjstoreA: ['export/objstore_a', 'Export to a bucket of the first kind', 'Writes objects.'],
  exportObjstoreB: ['export/objstore_b', 'Export to a bucket of the second kind', 'Writes objects.'],
  exportBlobstore: ['export/blobstore', 'Export to a blob store', 'Writes blobs.'],
  exportSftp: ['export/sftp', 'Export to an SFTP server', 'Writes files.'],
} as const satisfies Record<string, Words>

/** The names of the endpoints that create a task of one operation. */
export type OperationRouteName = keyof typeof names

/** An endpoint that creates a task of one operation. */
export type OperationRoute = Route & { readonly operation: Operation }

/** The endpoints that create one task each. */
export const operationRoutes = Object.fromEntries(
  Object.entries(names).map(([operationId, words]) => [operationId, operationRoute(operationId, words)]),
) as Readonly<Record<OperationRouteName, OperationRoute>>

function operationRoute(operationId: string, [operation, summary, description]: Words): OperationRoute {
  const shared = { tags: [tagOf(operation)], scope: 'task.write' } as const
  return {
    ...shared,
    method: 'POST',
    path: `/v1/process/${operation}`,
    operationId,
    summary,
    description: `${description}${unavailableNote(operation)}`,
    operation,
    body: taskBodies[operation],
    bodyOptional: operation === 'import/upload',
    waits: true,
    responses: { ...created(operation), ...errorsFor({ ...shared, idempotent: true }) },
  }
}

function tagOf(operation: Operation): string {
  return { import: 'imports', process: 'processing', export: 'exports' }[kindOf(operation)]
}

function created(operation: Operation): Route['responses'] {
  return unavailableOperations.has(operation) ? {} : { 201: { description: 'The created task.', schema: TaskView } }
}

function unavailableNote(operation: Operation): string {
  if (!unavailableOperations.has(operation)) return ''
  const available = availableOperations.map((name) => `\`${name}\``).join(', ')
  return ` Not available on this server: a valid request is refused with 400. Available: ${available}.`
}

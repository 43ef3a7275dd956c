import { kindOf, type Operation } from '@lathe/domain'
import { availableOperations, unavailableOperations } from '../available-operations.ts'
import { taskRequests } from '../bodies/bodies.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

type Words = readonly [operation: Operation, summary: string, description: string]

const names = {
  importUpload: ['import/upload', 'Import a file by upload', 'Answers a form; post the file to it.'],
  importUrl: ['import/url', 'Import a file from a URL', 'Fetches a file over http or https.'],
  importBase64: ['import/base64', 'Import a file sent as base64', 'For small files, inside the request.'],
  importWebpage: ['import/webpage', 'Import a web page', 'Renders a page and stores it as one file.'],
  importObjstoreA: [
    'import/objstore_a',
    'Import from an S3 bucket',
    'Fetches an object, or inside a job every object under a prefix.',
  ],
  importObjstoreB: ['import/objstore_b', 'Import from a Google Cloud Storage bucket', 'Fetches an object.'],
  importBlobstore: ['import/blobstore', 'Import from an Azure Blob Storage container', 'Fetches a blob.'],
  importSftp: ['import/sftp', 'Import from an SFTP server', 'Fetches a file.'],
  convert: ['convert', 'Convert files', 'Converts every file of its inputs to another format.'],
  compress: ['compress', 'Compress files', 'Makes every file of its inputs smaller and keeps the format.'],
  merge: ['merge', 'Merge files', 'Makes one file of two or more images and pdf files, in the order of `input`.'],
  crop: ['crop', 'Crop files', 'Cuts out `x`, `y`, `width`, `height`, given in `options`.'],
  trim: ['trim', 'Trim files', 'Keeps the part from `start` to `end`, or the `pages`, given in `options`.'],
  exportUrl: ['export/url', 'Export to a download URL', 'Creates signed links that work for 4 hours.'],
  exportObjstoreA: ['export/objstore_a', 'Export to an S3 bucket', 'Writes objects.'],
  exportObjstoreB: ['export/objstore_b', 'Export to a Google Cloud Storage bucket', 'Writes objects.'],
  exportBlobstore: ['export/blobstore', 'Export to an Azure Blob Storage container', 'Writes blobs.'],
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
    body: taskRequests[operation],
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

import { Type } from 'typebox'
import { ObjectIdParameter } from '../schemas/common.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorResponse, errorsFor, type Route } from './route.ts'

const open = { tags: ['files'], scope: 'public' } as const
const upload = Type.Object({ file: Type.String({ format: 'binary', description: 'The file.' }) })
const params = { taskId: ObjectIdParameter, file: Type.String({ pattern: '^([0-9]{1,9}|archive)$' }) }
const bytes = { mediaType: 'application/octet-stream' } as const

const download = {
  ...open,
  method: 'GET',
  query: Type.Object({
    expires: Type.Integer({ description: 'Unix seconds.' }),
    signature: Type.String(),
    generation: Type.Optional(Type.Integer({ minimum: 1, description: 'In links made after an API key was revoked.' })),
  }),
  responses: {
    200: { ...bytes, description: 'The file, or a ZIP of all files of the task.' },
    206: { ...bytes, description: 'The range that was asked for.' },
    ...errorsFor({ ...open, single: true, anyAccept: true }),
  },
} as const

const downloadText =
  'Downloads one file of a task by its number, or all of them as a ZIP (`archive`). Links are signed and part of the task. Range requests are supported. A link returns 404 if it has expired, was changed, or was created before an API key of its owner was revoked. Counts against the limits of the owner of the task.'

const resumable = { ...open, tus: true } as const
const resumablePath = '/v1/uploads/{taskId}/{token}/tus/{uploadId}'
const resumableParams = Type.Object({ taskId: ObjectIdParameter, token: Type.String(), uploadId: Type.String() })
const resumableErrors = errorsFor({ ...resumable, single: true, anyAccept: true })

/** The bytes: sent to a form, fetched by a link. */
export const fileRoutes = {
  uploadFile: {
    ...open,
    method: 'POST',
    path: '/v1/uploads/{taskId}/{token}',
    operationId: 'uploadFile',
    summary: 'Upload the file of an import/upload task',
    description:
      'Receives the file for `result.form` of the task: every parameter as a field and the file in the field `file`, in any order. A form works once, for one upload at a time; it stays usable after a failed upload. Counts against the limits of the owner of the task.',
    params: Type.Object({ taskId: ObjectIdParameter, token: Type.String() }),
    body: Type.Object({ ...upload.properties }, { additionalProperties: { type: 'string' } }),
    bodyMediaType: 'multipart/form-data',
    responses: {
      200: { description: 'The completed task.', schema: TaskView },
      ...errorsFor({ ...open, single: true }),
    },
  },
  startUpload: {
    ...resumable,
    method: 'POST',
    path: '/v1/uploads/{taskId}/{token}/tus',
    operationId: 'startUpload',
    summary: 'Start an upload that can be resumed',
    description:
      'Creates a resumable upload (tus protocol) at `result.form.tusUrl` of the task. `Upload-Length` is the total size; `Upload-Metadata` contains every parameter of `result.form` and optionally `filename`. A form has one upload: another creation restarts it.',
    params: Type.Object({ taskId: ObjectIdParameter, token: Type.String() }),
    responses: { 201: { description: '`Location` is the URL of the upload.' }, ...resumableErrors },
  },
  showUpload: {
    ...resumable,
    method: 'HEAD',
    path: resumablePath,
    operationId: 'showUpload',
    summary: 'Ask how much of an upload has arrived',
    description:
      'Answers `Upload-Offset`, where to go on, and `Upload-Length`. Once all bytes are there, it also completes the task, if that was left undone.',
    params: resumableParams,
    responses: { 200: { description: '`Upload-Offset` bytes are stored.' }, ...resumableErrors },
  },
  continueUpload: {
    ...resumable,
    method: 'PATCH',
    path: resumablePath,
    operationId: 'continueUpload',
    summary: 'Send more bytes of an upload',
    description:
      'Appends the body at `Upload-Offset`, which must be the current offset of the upload. If the connection breaks, the bytes received so far are kept, except with `Upload-Checksum` (`sha1`, `sha256` or `md5`), which keeps all or nothing. The last byte completes the task.',
    params: resumableParams,
    body: Type.String({ format: 'binary' }),
    bodyMediaType: 'application/offset+octet-stream',
    responses: {
      204: { description: 'The bytes are stored; `Upload-Offset` is where to go on.' },
      ...resumableErrors,
      460: errorResponse(460),
    },
  },
  abandonUpload: {
    ...resumable,
    method: 'DELETE',
    path: resumablePath,
    operationId: 'abandonUpload',
    summary: 'Abandon an upload',
    description: 'Deletes the received bytes. The form stays open for another upload.',
    params: resumableParams,
    responses: { 204: { description: 'The upload is gone.' }, ...resumableErrors },
  },
  downloadFile: {
    ...download,
    path: '/v1/files/{taskId}/{file}',
    operationId: 'downloadFile',
    summary: 'Download a file or archive',
    description: downloadText,
    params: Type.Object(params),
  },
  downloadNamedFile: {
    ...download,
    path: '/v1/files/{taskId}/{file}/{filename}',
    operationId: 'downloadNamedFile',
    summary: 'Download a file or archive, with its name in the URL',
    description: `${downloadText} The name has no effect.`,
    params: Type.Object({ ...params, filename: Type.String() }),
  },
} as const satisfies Record<string, Route>

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { previewQuery } from '../query/queries.ts'
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

const preview = { tags: ['files'], scope: 'task.read' } as const

/** Content of files: uploads to a form, downloads by a link, previews. */
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
  showPreview: {
    ...preview,
    method: 'GET',
    path: '/v1/process/tasks/{taskId}/files/{file}/preview',
    operationId: 'showPreview',
    summary: 'Show a preview of a file',
    description: `An image (WebP, or JPEG where the engine of the format makes no WebP) of at most ${limits.previewPixels} × ${limits.previewPixels} px of a file of a completed task: a page of a document, a frame of a video, the waveform of a recording. \`file\` is the position of the file in \`result.files\`, from 0. The first request makes the preview and waits up to 5 seconds for it, or as long as \`Prefer: wait\` says; after that it answers 202, and the same request later gets the image. Previews are stored with the file: they expire with it and are deleted with it. They use no conversion minutes. An account can have ${limits.previewsAtOnce} previews in the making, and ${limits.previewsPerOwner} within 4 hours; beyond that, requests are refused with 429. Files without a preview are refused with 404 and \`no_preview\`.`,
    params: Type.Object({ taskId: params.taskId, file: Type.String({ pattern: '^[0-9]{1,9}$' }) }),
    query: previewQuery.schema,
    waits: true,
    takesJobTokens: true,
    responses: {
      200: { mediaType: ['image/webp', 'image/jpeg'], description: 'The preview.' },
      202: { description: 'The preview is being made. Repeat the request after `Retry-After` seconds.' },
      ...errorsFor({ ...preview, single: true, anyAccept: true }),
    },
  },
} as const satisfies Record<string, Route>

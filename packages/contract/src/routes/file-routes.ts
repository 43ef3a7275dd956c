import { Type } from 'typebox'
import { ObjectIdParameter } from '../schemas/common.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

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
  }),
  responses: {
    200: { ...bytes, description: 'The file, or a ZIP of all files of the task.' },
    206: { ...bytes, description: 'The range that was asked for.' },
    ...errorsFor({ ...open, single: true, anyAccept: true }),
  },
} as const

const downloadText =
  'Hands out one file of a task by its number, or all of them as a ZIP (`archive`). The link comes signed with the task; ranges are served. An expired or altered link is answered 404. Counts against the limits of the owner of the task.'

/** The bytes: sent to a form, fetched by a link. */
export const fileRoutes = {
  uploadFile: {
    ...open,
    method: 'POST',
    path: '/v1/uploads/{taskId}/{token}',
    operationId: 'uploadFile',
    summary: 'Upload the file of an import/upload task',
    description:
      'Takes `result.form` of the task: every parameter as a field and the file in the field `file`, in any order. Works once, for one upload at a time; a broken upload leaves the form usable. Counts against the limits of the owner of the task.',
    params: Type.Object({ taskId: ObjectIdParameter, token: Type.String() }),
    body: Type.Object({ ...upload.properties }, { additionalProperties: { type: 'string' } }),
    bodyMediaType: 'multipart/form-data',
    responses: {
      200: { description: 'The completed task.', schema: TaskView },
      ...errorsFor({ ...open, single: true }),
    },
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
    summary: 'Download a file or archive, its name in the address',
    description: `${downloadText} The name is for people and has no effect.`,
    params: Type.Object({ ...params, filename: Type.String() }),
  },
} as const satisfies Record<string, Route>

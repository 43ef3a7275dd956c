import { type FailureCode, failures, type TaskErrorCode, taskStatuses, waitReasons } from '@lathe/domain'
import { operations } from '@lathe/operations'
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from './common.ts'
import { JobSummaryView } from './job-summary-view.ts'

const closed = { additionalProperties: false } as const

/** The task error codes of the API: a closed list, so that clients may branch on it. */
export const taskErrorCodes = [
  'upload_timeout',
  'engine_timeout',
  'out_of_conversion_minutes',
  'out_of_conversion_minutes_per_task',
  'user_deleted_task',
  'insufficient_permission',
  'invalid_credentials',
  'processing_failed',
] as const satisfies readonly TaskErrorCode[]

/** One file of a task: downloadable until it expires, a receipt once its task is deleted. */
export const TaskFileView = Type.Object(
  {
    filename: Type.Optional(Type.String({ examples: ['photo.webp'] })),
    folder: Type.Optional(
      Type.String({
        description: 'Where the file is in the ZIP of all results; absent at the top.',
        examples: ['album/day 1'],
      }),
    ),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    url: Type.Optional(
      Type.String({ description: 'Signed link; needs no API key. Absent once the file has expired.' }),
    ),
    expiresAt: Type.Optional(Timestamp),
    deletedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When a deleted task’s file was erased.' }),
    ),
  },
  { ...closed, title: 'TaskFile' },
)

/** A file that an export has stored in the caller's storage. */
export const ExportedFileView = Type.Object(
  {
    path: Type.String({ description: 'Object key, blob name or path.', examples: ['results/photo.webp'] }),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { ...closed, title: 'ExportedFile' },
)

/** Where and how to send the file of an `import/upload` task. */
export const UploadFormView = Type.Object(
  {
    url: Type.String({ description: 'Post the file here as multipart/form-data, in the field `file`.' }),
    parameters: Type.Record(Type.String(), Type.String(), { description: 'Send every entry as a form field.' }),
    tusUrl: Type.String({
      description:
        'For uploads that can be resumed: create one here by the tus protocol, every parameter in its metadata.',
    }),
  },
  { ...closed, title: 'UploadForm' },
)

/** The result of a task; empty while there is none. */
export const TaskResultView = Type.Object(
  {
    url: Type.Optional(
      Type.String({ description: 'Where the output is: the file, or a ZIP made on demand if there are several.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When `url` and the files expire: 4 h after the task was created.',
      }),
    ),
    files: Type.Optional(
      Type.Array(TaskFileView, {
        description: `The first ${limits.filesShown} files, or fewer in answers with many tasks: see \`filesTotal\`.`,
      }),
    ),
    filesTotal: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The number of all files. Present if `files` does not contain them all.',
      }),
    ),
    filesUrl: Type.Optional(
      Type.String({ description: 'Where to read all files, in pages, with an API key. Present with `filesTotal`.' }),
    ),
    exported: Type.Optional(
      Type.Array(ExportedFileView, { description: 'Where an export to storage of yours has put its files.' }),
    ),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'What was ignored or lost.' })),
    form: Type.Optional(UploadFormView),
    errorCode: Type.Optional(Type.Enum([...taskErrorCodes])),
    msg: Type.Optional(Type.String()),
    reason: Type.Optional(
      Type.Enum(Object.keys(failures) as FailureCode[], { description: 'The finer, stable cause of a failure.' }),
    ),
  },
  { ...closed, title: 'TaskResult' },
)

/** The progress of a running task. */
export const TaskProgressView = Type.Object(
  {
    percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Never goes back within one attempt.' }),
    secondsLeft: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'An estimate from the speed so far; null while there is none.',
    }),
  },
  { ...closed, title: 'TaskProgress' },
)

const secondsOrUnknown = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

/** The position of a waiting task in its queue. */
export const QueuePlaceView = Type.Object(
  {
    waitsFor: Type.Enum(waitReasons, {
      description:
        'Files of other tasks (`input`), the end of another task of the account (`slot`), or a free worker (`worker`).',
    }),
    position: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description:
        'Position among the tasks of the account, or among all tasks for the same engines, from 1. It may increase, because accounts with fewer running tasks go first. Null while the task waits for files, and above 1,000.',
    }),
    secondsToStart: secondsOrUnknown('Estimate based on recently started tasks; null if there are too few.'),
    secondsToEnd: secondsOrUnknown('Estimate based on recent similar tasks; null if there are too few.'),
  },
  { ...closed, title: 'QueuePlace' },
)

const milliseconds = (description: string) => Type.Integer({ minimum: 0, description })

/** How long each phase of a task took. */
export const TaskTimesView = Type.Object(
  {
    queueMs: milliseconds('Waiting for a worker or an engine, after its inputs were there.'),
    fetchMs: milliseconds('Fetching its input files; for an import, the whole transfer.'),
    engineMs: milliseconds('Engines at work.'),
    storeMs: milliseconds('Storing its output files; for an export, the whole transfer.'),
  },
  {
    ...closed,
    title: 'TaskTimes',
    description:
      'Time of the last attempt by phase, in milliseconds. Present after a worker has finished the task. The rest is planning and reporting.',
  },
)

/** A task as every endpoint shows it. */
export const TaskView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String({ examples: ['convert'] }),
    operation: Type.Enum(operations),
    status: Type.Enum(taskStatuses),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields that the task was created with, without `operation` and `input`. Secrets are masked.',
    }),
    dependsOn: Type.Array(ObjectIdSchema),
    job: Type.Union([ObjectIdSchema, Type.Null()]),
    user: ObjectIdSchema,
    result: TaskResultView,
    progress: Type.Union([TaskProgressView, Type.Null()], {
      description: 'Progress while an engine works on the task and reports it; null otherwise. May be a second old.',
    }),
    queue: Type.Union([QueuePlaceView, Type.Null()], {
      description:
        'Position in the queue while the task waits; null otherwise. Present in responses with a task, a job or a list of tasks. May be a second old.',
    }),
    times: Type.Optional(TaskTimesView),
    createdAt: Timestamp,
    startedAt: NullableTimestamp,
    endedAt: NullableTimestamp,
    updatedAt: Timestamp,
    expiresAt: Type.String({
      format: 'date-time',
      description: 'When the record is removed: 24 h after creation. Its files expire earlier, at `result.expiresAt`.',
    }),
    jobDetails: Type.Optional(JobSummaryView),
  },
  { ...closed, title: 'Task' },
)

export type TaskFile = Static<typeof TaskFileView>
export type UploadForm = Static<typeof UploadFormView>
export type TaskResult = Static<typeof TaskResultView>
export type Task = Static<typeof TaskView>

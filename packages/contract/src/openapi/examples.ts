import type { ErrorBody } from '../schemas/error-view.ts'
import type { JobFacts, Links, TaskFacts } from '../views/records.ts'
import { toJobView } from '../views/to-job-view.ts'
import { toPage } from '../views/to-page.ts'
import { toTaskView } from '../views/to-task-view.ts'
import { exampleEngine } from './example-engine.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds))
const jobId = '695661c00000a1b2c3d4e500'
const importId = '695661c00000a1b2c3d4e501'
const convertId = '695661c00000a1b2c3d4e502'

const base = {
  jobId,
  userId: '695661c00000a1b2c3d4e5ff',
  errorCode: null,
  reason: null,
  msg: null,
  warnings: [],
  createdAt: at(0),
  linkGeneration: 0,
} as const

const file = { sha256: 'a3'.repeat(32), expiresAt: at(4 * 3600), deletedAt: null }

const imported: TaskFacts = {
  ...base,
  id: importId,
  name: 'photo',
  operation: 'import/url',
  status: 'completed',
  payload: { url: 'https://files.example.com/photo.jpg' },
  dependsOn: [],
  startedAt: at(0),
  endedAt: at(1),
  updatedAt: at(1),
  files: [{ ...file, n: 0, filename: 'photo.jpg', size: 102_400 }],
}

const converted: TaskFacts = {
  ...base,
  id: convertId,
  name: 'webp',
  operation: 'convert',
  status: 'completed',
  payload: { output_format: 'webp', options: { quality: 80 } },
  dependsOn: [importId],
  startedAt: at(1),
  endedAt: at(2),
  updatedAt: at(2),
  files: [{ ...file, n: 0, filename: 'photo.webp', size: 40_960 }],
}

const job: JobFacts = {
  id: jobId,
  tag: 'holiday',
  status: 'completed',
  errorCode: null,
  msg: null,
  createdAt: at(0),
  startedAt: at(0),
  endedAt: at(2),
  updatedAt: at(2),
  tasks: [imported, converted],
}

const root = 'https://lathe.example.com/v1'
const signed = (expiresAt: Date) => `?expires=${expiresAt.getTime() / 1000}&signature=c2lnbmF0dXJl`
const links: Links = {
  now: at(3),
  fileUrl: ({ id }, n, filename, expiresAt) => `${root}/files/${id}/${n}/${filename}${signed(expiresAt)}`,
  filesUrl: ({ id }) => `${root}/process/tasks/${id}/files`,
  archiveUrl: ({ id }, filename, expiresAt) => `${root}/files/${id}/archive/${filename}${signed(expiresAt)}`,
  form({ id }) {
    const url = `${root}/uploads/${id}/dG9rZW4`
    return { url, parameters: { signature: 'c2lnbmF0dXJl' }, tusUrl: `${url}/tus` }
  },
}

const error: ErrorBody = {
  status: 400,
  errorCode: 'invalid_request',
  msg: 'output_format: is required. It must be a string of 1 to 32 characters. A file extension, such as jpg.',
  errors: [
    {
      path: 'output_format',
      code: 'required',
      msg: 'is required. It must be a string of 1 to 32 characters. A file extension, such as jpg.',
    },
  ],
  requestId: 'req-7f3a',
}

/** An example of each shared schema, by name, built by the code that answers requests. */
export const examples: Readonly<Record<string, unknown>> = {
  Task: toTaskView(converted, links),
  Job: toJobView(job, links),
  TaskPage: toPage([toTaskView(converted, links)], { total: 1, limit: 50, page: 1 }),
  JobPage: toPage([toJobView(job, links)], { total: 1, limit: 50, page: 1 }),
  FormatList: {
    formats: [
      { ext: 'jpg', engine: exampleEngine('jpg', 'webp'), success_rate: 0.998, median_seconds: 0.31, tasks: 1200 },
      { ext: 'png', engine: exampleEngine('png', 'webp') },
    ],
  },
  Error: error,
  CreateJobRequest: {
    tag: 'holiday',
    tasks: {
      photo: { operation: 'import/url', url: 'https://files.example.com/photo.jpg' },
      webp: { operation: 'convert', input: 'photo', output_format: 'webp', options: { quality: 80 } },
      link: { operation: 'export/url', input: ['webp'] },
    },
  },
  ConvertRequest: { input: importId, output_format: 'webp', options: { quality: 80 } },
}

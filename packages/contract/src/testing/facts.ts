import type { FileFacts, JobFacts, Links, TaskFacts } from '../views/records.ts'

/** The current time in tests. */
export const now = new Date('2026-01-01T12:00:00.000Z')

const hourMs = 3_600_000

/** A file that expires in 4 hours. */
export function fileFacts(facts: Partial<FileFacts> = {}): FileFacts {
  return {
    n: 0,
    filename: 'photo.webp',
    size: 1234,
    sha256: 'ab'.repeat(32),
    expiresAt: new Date(now.getTime() + 4 * hourMs),
    deletedAt: null,
    ...facts,
  }
}

/** A new task outside a job. */
export function taskFacts(facts: Partial<TaskFacts> = {}): TaskFacts {
  return {
    id: '695661c00000a1b2c3d4e501',
    name: 'convert',
    operation: 'convert',
    status: 'created',
    payload: { output_format: 'webp' },
    dependsOn: [],
    jobId: null,
    userId: '695661c00000a1b2c3d4e5ff',
    errorCode: null,
    reason: null,
    msg: null,
    warnings: [],
    createdAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
    linkGeneration: 0,
    files: [],
    ...facts,
  }
}

/** A new job with one task. */
export function jobFacts(facts: Partial<JobFacts> = {}): JobFacts {
  return {
    id: '695661c00000a1b2c3d4e500',
    tag: null,
    status: 'created',
    errorCode: null,
    msg: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
    tasks: [taskFacts()],
    ...facts,
  }
}

/** Links that contain the values they are made from. */
export const links: Links = {
  now,
  fileUrl: ({ id }, n, filename, expiresAt) => `file:${id}/${n}/${filename}@${expiresAt.toISOString()}`,
  filesUrl: ({ id }) => `files:${id}`,
  archiveUrl: ({ id }, filename, expiresAt) => `archive:${id}/${filename}@${expiresAt.toISOString()}`,
  form: ({ id }) => ({ url: `form:${id}`, parameters: { signature: 's' }, tusUrl: `form:${id}/tus` }),
}

import { taskStatuses } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { TaskView } from '../schemas/task-view.ts'
import { fileFacts, jobFacts, links, now, taskFacts } from '../testing/facts.ts'
import { toTaskView } from './to-task-view.ts'

const past = new Date(now.getTime() - 1)

describe('a task', () => {
  it('has every field of the resource, with null, {} and [] for what is absent [S-task-01, S-task-03, S-task-04, S-task-09, S-task-11, D-http-35, D-shape-01]', () => {
    expect(toTaskView(taskFacts({ payload: {} }), links)).toEqual({
      id: '695661c00000a1b2c3d4e501',
      name: 'convert',
      operation: 'convert',
      status: 'created',
      payload: {},
      dependsOn: [],
      job: null,
      user: '695661c00000a1b2c3d4e5ff',
      result: {},
      progress: null,
      queue: null,
      createdAt: '2026-01-01T12:00:00.000Z',
      startedAt: null,
      endedAt: null,
      updatedAt: '2026-01-01T12:00:00.000Z',
      expiresAt: '2026-01-02T12:00:00.000Z',
    })
  })

  it('expires 24 hours after its creation [D-state-30]', () => {
    expect(toTaskView(taskFacts(), links).expiresAt).toBe('2026-01-02T12:00:00.000Z')
  })

  it('has its times once they are measured', () => {
    const times = { storeMs: 4, queueMs: 1, engineMs: 3, fetchMs: 2 }
    const view = toTaskView(taskFacts({ status: 'completed', times }), links)
    expect(Object.entries(view.times ?? {}).flat()).toEqual(['queueMs', 1, 'fetchMs', 2, 'engineMs', 3, 'storeMs', 4])
    expect(isValid(TaskView, view)).toBe(true)
    expect(toTaskView(taskFacts({ times: null }), links)).not.toHaveProperty('times')
  })

  it('is named after its operation outside a job, and by its key inside [S-task-02, S-task-08, D-shape-02]', () => {
    expect(toTaskView(taskFacts({ name: 'thumb', jobId: 'a'.repeat(24) }), links)).toMatchObject({
      name: 'thumb',
      job: 'a'.repeat(24),
    })
  })

  it('gains jobDetails with include=job, while job stays an id [D-shape-07]', () => {
    const view = toTaskView(taskFacts({ jobId: jobFacts().id }), links, jobFacts({ tag: 'x' }))
    expect(view.job).toBe(jobFacts().id)
    expect(view.jobDetails).toMatchObject({ id: jobFacts().id, tag: 'x', status: 'created' })
    expect(view.jobDetails).not.toHaveProperty('tasks')
  })

  it('has its progress while it runs, and null before, after and if unknown [D-shape-16]', () => {
    const progress = { percent: 42, secondsLeft: 7 }
    for (const status of taskStatuses) {
      const shown = toTaskView(taskFacts({ status, progress }), links).progress
      expect(shown).toEqual(status === 'processing' ? progress : null)
    }
    expect(toTaskView(taskFacts({ status: 'processing' }), links).progress).toBeNull()
  })

  it('has its queue position while it waits, and null once it has started [D-shape-19]', () => {
    const queue = { waitsFor: 'worker', position: 3, secondsToStart: 12, secondsToEnd: null } as const
    for (const status of taskStatuses) {
      const view = toTaskView(taskFacts({ status, queue }), links)
      expect(view.queue).toEqual(status === 'created' ? queue : null)
      expect(isValid(TaskView, view)).toBe(true)
    }
  })

  it('matches its schema in every state [S-task-04]', () => {
    const files = [fileFacts(), fileFacts({ n: 1 })]
    const views = [
      taskFacts(),
      taskFacts({ operation: 'import/upload', status: 'processing' }),
      taskFacts({ status: 'processing', progress: { percent: 0, secondsLeft: null } }),
      taskFacts({ status: 'completed', files, warnings: ['w'] }),
      taskFacts({ status: 'failed', errorCode: 'processing_failed', reason: 'input_damaged', msg: 'm' }),
      taskFacts({ status: 'canceled' }),
      taskFacts({ status: 'deleted', files: [fileFacts({ deletedAt: now })] }),
    ].map((facts) => toTaskView(facts, links, jobFacts()))
    for (const view of views) expect(isValid(TaskView, view)).toBe(true)
  })
})

describe('the result of a completed task', () => {
  const completed = (facts: Parameters<typeof taskFacts>[0]) =>
    toTaskView(taskFacts({ status: 'completed', ...facts }), links).result

  it('has the link of its file [S-task-10, S-task-13, D-shape-09, D-shape-13]', () => {
    const url = 'file:695661c00000a1b2c3d4e501/0/photo.webp@2026-01-01T16:00:00.000Z'
    expect(completed({ files: [fileFacts()] })).toEqual({
      url,
      expiresAt: '2026-01-01T16:00:00.000Z',
      files: [
        { filename: 'photo.webp', size: 1234, sha256: 'ab'.repeat(32), url, expiresAt: '2026-01-01T16:00:00.000Z' },
      ],
    })
  })

  it('has the link of a ZIP if there are several files, and a link for each, in order [D-shape-12]', () => {
    const { url, files } = completed({ files: [fileFacts({ n: 1, filename: 'b' }), fileFacts({ filename: 'a' })] })
    expect(url).toBe('archive:695661c00000a1b2c3d4e501/convert.zip@2026-01-01T16:00:00.000Z')
    expect(files?.map((file) => file.filename)).toEqual(['a', 'b'])
    expect(files?.every((file) => file.url?.startsWith('file:'))).toBe(true)
  })

  it('has the link of a ZIP even for one file with archive_multiple_files [S-exp-05, D-op-31]', () => {
    const task = {
      operation: 'export/url',
      name: 'export/url',
      payload: { archive_multiple_files: true },
      files: [fileFacts()],
    } as const
    expect(completed(task).url).toMatch(/^archive:.*\/export-url\.zip@/)
  })

  it('names the ZIP after the file that its pages come from', () => {
    const named = (...names: string[]) =>
      completed({ files: names.map((filename, n) => fileFacts({ n, filename })) })
        .url?.split('/')
        .at(-1)
    expect(named('letter-1.png', 'letter-2.png')).toMatch(/^letter\.zip@/)
    expect(named('letter-1.png', 'other-2.png')).toMatch(/^convert\.zip@/)
    expect(named('a.png', 'b.png')).toMatch(/^convert\.zip@/)
  })

  it('names the ZIP by the given file name [D-op-15]', () => {
    const files = [fileFacts(), fileFacts({ n: 1 })]
    expect(completed({ files, payload: { filename: 'holiday.pdf' } }).url).toMatch(/\/holiday\.zip@/)
  })

  it('links the ZIP until the first of its files expires, with that time', () => {
    const sooner = new Date(now.getTime() + 1000)
    const result = completed({ files: [fileFacts(), fileFacts({ n: 1, expiresAt: sooner })] })
    expect(result.url).toContain(sooner.toISOString())
    expect(result.expiresAt).toBe(sooner.toISOString())
  })

  it('drops the links of files that have expired and keeps what is known of them', () => {
    const result = completed({ files: [fileFacts({ expiresAt: past })] })
    expect(result).not.toHaveProperty('url')
    expect(result.files).toEqual([
      { filename: 'photo.webp', size: 1234, sha256: 'ab'.repeat(32), expiresAt: past.toISOString() },
    ])
  })

  it('counts a file as expired from the moment of its expiry', () => {
    expect(completed({ files: [fileFacts({ expiresAt: now })] })).not.toHaveProperty('url')
  })

  it('has warnings when something was ignored or lost, and only then [D-shape-15]', () => {
    expect(completed({ files: [fileFacts()], warnings: ['ignored'] }).warnings).toEqual(['ignored'])
    expect(completed({ files: [fileFacts()] })).not.toHaveProperty('warnings')
  })
})

describe('the result of other tasks', () => {
  it('is the form of an open upload task [S-task-14]', () => {
    const upload = taskFacts({ operation: 'import/upload', status: 'processing' })
    expect(toTaskView(upload, links).result).toEqual({
      form: {
        url: 'form:695661c00000a1b2c3d4e501',
        parameters: { signature: 's' },
        tusUrl: 'form:695661c00000a1b2c3d4e501/tus',
      },
    })
  })

  it('has no form once the upload has ended', () => {
    for (const status of ['completed', 'failed', 'canceled', 'deleted'] as const) {
      expect(toTaskView(taskFacts({ operation: 'import/upload', status }), links).result).not.toHaveProperty('form')
    }
  })

  it('is errorCode, msg and reason of a failed task [S-task-10, S-task-16, S-task-17, S-err-10, D-state-18]', () => {
    const failed = taskFacts({
      status: 'failed',
      errorCode: 'engine_timeout',
      msg: 'Too slow.',
      reason: 'engine_timeout',
    })
    expect(toTaskView(failed, links).result).toEqual({
      errorCode: 'engine_timeout',
      msg: 'Too slow.',
      reason: 'engine_timeout',
    })
  })

  it('leaves out msg where there is none [S-task-17]', () => {
    expect(toTaskView(taskFacts({ status: 'failed', errorCode: 'processing_failed' }), links).result).toEqual({
      errorCode: 'processing_failed',
    })
  })

  it('is empty while a task runs and when it was canceled', () => {
    for (const status of ['created', 'processing', 'canceled'] as const) {
      expect(toTaskView(taskFacts({ status }), links).result).toEqual({})
    }
  })
})

describe('a deleted task [D-state-24]', () => {
  const deleted = toTaskView(
    taskFacts({
      status: 'deleted',
      payload: { url: 'https://a.example' },
      files: [fileFacts({ deletedAt: now }), fileFacts({ n: 1 })],
    }),
    links,
  )

  it('shows an empty payload', () => {
    expect(deleted.payload).toEqual({})
  })

  it('is the receipt of each erased file: size, SHA-256 and time, and no more', () => {
    expect(deleted.result).toEqual({
      errorCode: 'user_deleted_task',
      files: [{ size: 1234, sha256: 'ab'.repeat(32), deletedAt: now.toISOString() }],
    })
  })
})

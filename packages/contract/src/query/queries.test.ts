import { describe, expect, it } from 'vitest'
import { onlyText, pathsOf } from '../testing/faults-of.ts'
import type { RawQuery } from './define-query.ts'
import { readPage } from './paging.ts'
import { auditQuery, jobsQuery, parseId, taskQuery, tasksQuery } from './queries.ts'

const readTasks = (raw: RawQuery) => readPage(tasksQuery, raw)
const readJobs = (raw: RawQuery) => readPage(jobsQuery, raw)
const readTask = (raw: RawQuery) => taskQuery.read(raw)
const readAudit = (raw: RawQuery) => readPage(auditQuery, raw)

const id = '66f2c1a0000100a1b2c3d4e5'

describe('paging', () => {
  it('is the first 50 by default [S-tasks-06, S-jobs-05, S-lim-01]', () => {
    expect(readTasks({})).toEqual({ page: 1, limit: 50, offset: 0 })
    expect(readJobs({})).toEqual({ page: 1, limit: 50, offset: 0 })
  })

  it('takes per_page from 1 to 200 [S-tasks-07, S-lim-02, D-http-37]', () => {
    expect(readTasks({ per_page: '200', page: '3' })).toMatchObject({ limit: 200, page: 3, offset: 400 })
    expect(readJobs({ per_page: '1' })).toMatchObject({ limit: 1 })
    for (const per_page of ['0', '201', '-1', '1.5', 'ten', '', '1e2', ' 5', '0x10']) {
      expect(onlyText(() => readTasks({ per_page }))).toBe('per_page: must be an integer from 1 to 200.')
    }
  })

  it('refuses a page below 1 [D-http-38]', () => {
    for (const page of ['0', '-1', 'x', '']) expect(pathsOf(() => readJobs({ page }))).toEqual(['page'])
  })

  it('takes a page far past the end [D-http-39]', () => {
    const { offset } = readTasks({ page: '9007199254740991', per_page: '200' })
    expect(offset).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('query parameters', () => {
  it('are ignored if unknown [D-http-19]', () => {
    expect(readTasks({ colour: 'red', __proto__: 'x' })).toEqual({ page: 1, limit: 50, offset: 0 })
    expect(readTasks({ colour: ['red', 'blue'] })).toEqual({ page: 1, limit: 50, offset: 0 })
  })

  it('are refused if repeated [D-http-20]', () => {
    for (const name of ['status', 'operation', 'job', 'per_page', 'page']) {
      expect(onlyText(() => readTasks({ [name]: ['1', '1'] }))).toBe(`${name}: is given more than once. Give it once.`)
    }
    expect(pathsOf(() => readJobs({ tag: ['a', 'b'] }))).toEqual(['tag'])
    expect(pathsOf(() => readTask({ include: ['job', 'payload'] }))).toEqual(['include'])
  })

  it('are refused if they hold a NUL', () => {
    expect(pathsOf(() => readJobs({ tag: 'a\0' }))).toEqual(['tag'])
  })
})

describe('filters of the list of tasks', () => {
  it('take each task status [S-state-01, S-tasks-03]', () => {
    for (const status of ['created', 'processing', 'completed', 'canceled', 'failed', 'deleted'] as const) {
      expect(readTasks({ status }).status).toBe(status)
    }
  })

  it('refuse another status and list those there are [S-tasks-03, D-http-42]', () => {
    expect(onlyText(() => readTasks({ status: 'done' }))).toBe(
      'status: must be one of: created, processing, completed, canceled, failed, deleted.',
    )
    expect(pathsOf(() => readTasks({ status: '' }))).toEqual(['status'])
  })

  it('take any operation: an unknown one matches nothing [D-http-42]', () => {
    expect(readTasks({ operation: 'import/url' }).operation).toBe('import/url')
    expect(readTasks({ operation: 'fold' }).operation).toBe('fold')
  })

  it('take a job id in any case and refuse a malformed one', () => {
    expect(readTasks({ job: id.toUpperCase() }).job).toBe(id)
    expect(pathsOf(() => readTasks({ job: 'mine' }))).toEqual(['job'])
  })
})

describe('filters of the list of jobs', () => {
  it('take each job status and refuse another [S-state-02, S-jobs-02]', () => {
    for (const status of ['created', 'processing', 'completed', 'failed'] as const) {
      expect(readJobs({ status }).status).toBe(status)
    }
    expect(pathsOf(() => readJobs({ status: 'canceled' }))).toEqual(['status'])
  })

  it('take a tag as it is', () => {
    expect(readJobs({ tag: ' A,b ' }).tag).toBe(' A,b ')
  })

  it('take the times of creation and refuse what is no time [S-jobs-22]', () => {
    expect(readJobs({ from: '2026-01-31', to: '2026-01-31T12:00:00Z' })).toMatchObject({
      from: new Date('2026-01-31'),
      to: new Date('2026-01-31T12:00:00Z'),
    })
    expect(pathsOf(() => readJobs({ from: 'today' }))).toEqual(['from'])
    expect(pathsOf(() => readJobs({ to: '' }))).toEqual(['to'])
  })

  it('take include=tasks and refuse another include [S-jobs-04, D-http-21]', () => {
    expect(readJobs({ include: 'tasks' }).include).toEqual(['tasks'])
    expect(onlyText(() => readJobs({ include: 'tasks,files' }))).toBe('include: does not know files. Allowed: tasks.')
  })
})

describe('include of a task', () => {
  it('knows payload and job, comma-separated [S-tasks-11, D-shape-06]', () => {
    expect(readTask({})).toEqual({})
    expect(readTask({ include: 'payload' })).toEqual({ include: ['payload'] })
    expect(readTask({ include: 'job, payload' })).toEqual({ include: ['payload', 'job'] })
  })

  it('refuses an unknown value [D-http-21]', () => {
    expect(pathsOf(() => readTask({ include: 'owner' }))).toEqual(['include'])
  })
})

describe('an id in a path [S-tasks-10]', () => {
  it('is 24 hex digits in any case [D-http-30]', () => {
    expect(parseId(id.toUpperCase(), 'taskId')).toBe(id)
  })

  it('is refused if malformed [D-http-31]', () => {
    for (const text of ['', 'x', id.slice(1), `${id}0`, ` ${id.slice(1)}`])
      expect(pathsOf(() => parseId(text, 'taskId'))).toEqual(['taskId'])
  })
})

describe('cursors', () => {
  it('are ids in any case, and take the place of the page (C6)', () => {
    expect(readTasks({ after: id.toUpperCase(), per_page: '7' })).toEqual({
      page: 1,
      limit: 7,
      offset: 0,
      after: id,
    })
    expect(readJobs({ before: id })).toMatchObject({ before: id })
  })

  it('are refused when malformed, together, or with a page (C6)', () => {
    expect(pathsOf(() => readTasks({ after: 'x' }))).toEqual(['after'])
    expect(pathsOf(() => readTasks({ before: '' }))).toEqual(['before'])
    expect(pathsOf(() => readTasks({ after: id, before: id }))).toEqual(['before'])
    expect(pathsOf(() => readTasks({ after: id, page: '2' }))).toEqual(['page'])
  })
})

describe('the query of the audit log', () => {
  it('asks for all by default', () => {
    expect(readAudit({})).toEqual({ page: 1, limit: 50, offset: 0 })
  })

  it('names action, user and times', () => {
    const user = 'ab'.repeat(12)
    expect(readAudit({ action: 'key.created', user, from: '2026-01-31', to: '2026-02-01T12:00:00Z' })).toMatchObject({
      action: 'key.created',
      user,
      from: new Date('2026-01-31'),
      to: new Date('2026-02-01T12:00:00Z'),
    })
  })

  it.each([
    [{ action: 'everything' }, 'action'],
    [{ user: 'ada' }, 'user'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
  ])('is refused as %j, and %s is named [D-auth-14]', (query, field) => {
    expect(() => readAudit(query)).toThrow(field)
  })
})

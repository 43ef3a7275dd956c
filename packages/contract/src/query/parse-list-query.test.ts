import { describe, expect, it } from 'vitest'
import { onlyText, pathsOf } from '../testing/faults-of.ts'
import { parseId, parseListJobsQuery, parseListTasksQuery, parseShowTaskQuery } from './parse-list-query.ts'

const id = '66f2c1a0000100a1b2c3d4e5'

describe('paging', () => {
  it('is the first 50 unless asked otherwise', () => {
    expect(parseListTasksQuery({})).toEqual({ page: 1, limit: 50, offset: 0 })
    expect(parseListJobsQuery({})).toEqual({ page: 1, limit: 50, offset: 0, includeTasks: false })
  })

  it('takes per_page from 1 to 200', () => {
    expect(parseListTasksQuery({ per_page: '200', page: '3' })).toMatchObject({ limit: 200, page: 3, offset: 400 })
    expect(parseListJobsQuery({ per_page: '1' })).toMatchObject({ limit: 1 })
    for (const per_page of ['0', '201', '-1', '1.5', 'ten', '', '1e2', ' 5', '0x10']) {
      expect(onlyText(() => parseListTasksQuery({ per_page }))).toBe('per_page: must be an integer from 1 to 200.')
    }
  })

  it('refuses a page below 1', () => {
    for (const page of ['0', '-1', 'x', '']) expect(pathsOf(() => parseListJobsQuery({ page }))).toEqual(['page'])
  })

  it('takes a page far past the end', () => {
    const { offset } = parseListTasksQuery({ page: '9007199254740991', per_page: '200' })
    expect(offset).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('query parameters', () => {
  it('are ignored if unknown', () => {
    expect(parseListTasksQuery({ colour: 'red', __proto__: 'x' })).toEqual({ page: 1, limit: 50, offset: 0 })
    expect(parseListTasksQuery({ colour: ['red', 'blue'] })).toEqual({ page: 1, limit: 50, offset: 0 })
  })

  it('are refused if repeated', () => {
    for (const name of ['status', 'operation', 'job', 'per_page', 'page']) {
      expect(onlyText(() => parseListTasksQuery({ [name]: ['1', '1'] }))).toBe(
        `${name}: is given more than once. Give it once.`,
      )
    }
    expect(pathsOf(() => parseListJobsQuery({ tag: ['a', 'b'] }))).toEqual(['tag'])
    expect(pathsOf(() => parseShowTaskQuery({ include: ['job', 'payload'] }))).toEqual(['include'])
  })

  it('are refused if they hold a NUL', () => {
    expect(pathsOf(() => parseListJobsQuery({ tag: 'a\0' }))).toEqual(['tag'])
  })
})

describe('filters of the list of tasks', () => {
  it('take each task status', () => {
    for (const status of ['created', 'processing', 'completed', 'canceled', 'failed', 'deleted'] as const) {
      expect(parseListTasksQuery({ status }).status).toBe(status)
    }
  })

  it('refuse another status and list those there are', () => {
    expect(onlyText(() => parseListTasksQuery({ status: 'done' }))).toBe(
      'status: must be one of: created, processing, completed, canceled, failed, deleted.',
    )
    expect(pathsOf(() => parseListTasksQuery({ status: '' }))).toEqual(['status'])
  })

  it('take any operation: an unknown one matches nothing', () => {
    expect(parseListTasksQuery({ operation: 'import/url' }).operation).toBe('import/url')
    expect(parseListTasksQuery({ operation: 'fold' }).operation).toBe('fold')
  })

  it('take a job id in any case and refuse a malformed one', () => {
    expect(parseListTasksQuery({ job: id.toUpperCase() }).job).toBe(id)
    expect(pathsOf(() => parseListTasksQuery({ job: 'mine' }))).toEqual(['job'])
  })
})

describe('filters of the list of jobs', () => {
  it('take each job status and refuse another', () => {
    for (const status of ['created', 'processing', 'completed', 'failed'] as const) {
      expect(parseListJobsQuery({ status }).status).toBe(status)
    }
    expect(pathsOf(() => parseListJobsQuery({ status: 'canceled' }))).toEqual(['status'])
  })

  it('take a tag as it is', () => {
    expect(parseListJobsQuery({ tag: ' A,b ' }).tag).toBe(' A,b ')
  })

  it('take the times of creation and refuse what is no time', () => {
    expect(parseListJobsQuery({ from: '2026-01-31', to: '2026-01-31T12:00:00Z' })).toMatchObject({
      from: new Date('2026-01-31'),
      to: new Date('2026-01-31T12:00:00Z'),
    })
    expect(pathsOf(() => parseListJobsQuery({ from: 'today' }))).toEqual(['from'])
    expect(pathsOf(() => parseListJobsQuery({ to: '' }))).toEqual(['to'])
  })

  it('take include=tasks and refuse another include', () => {
    expect(parseListJobsQuery({ include: 'tasks' }).includeTasks).toBe(true)
    expect(onlyText(() => parseListJobsQuery({ include: 'tasks,files' }))).toBe(
      'include: does not know files. Allowed: tasks.',
    )
  })
})

describe('include of a task', () => {
  it('knows payload and job, comma-separated', () => {
    expect(parseShowTaskQuery({})).toEqual({ includeJob: false })
    expect(parseShowTaskQuery({ include: 'payload' })).toEqual({ includeJob: false })
    expect(parseShowTaskQuery({ include: 'payload, job' })).toEqual({ includeJob: true })
  })

  it('refuses an unknown value', () => {
    expect(pathsOf(() => parseShowTaskQuery({ include: 'owner' }))).toEqual(['include'])
  })
})

describe('an id in a path', () => {
  it('is 24 hex digits in any case', () => {
    expect(parseId(id.toUpperCase(), 'taskId')).toBe(id)
  })

  it('is refused if malformed', () => {
    for (const text of ['', 'x', id.slice(1), `${id}0`, ` ${id.slice(1)}`])
      expect(pathsOf(() => parseId(text, 'taskId'))).toEqual(['taskId'])
  })
})

describe('cursors', () => {
  it('are ids in any case, and take the place of the page (C6)', () => {
    expect(parseListTasksQuery({ after: id.toUpperCase(), per_page: '7' })).toEqual({
      page: 1,
      limit: 7,
      offset: 0,
      after: id,
    })
    expect(parseListJobsQuery({ before: id })).toMatchObject({ before: id })
  })

  it('are refused when malformed, together, or with a page (C6)', () => {
    expect(pathsOf(() => parseListTasksQuery({ after: 'x' }))).toEqual(['after'])
    expect(pathsOf(() => parseListTasksQuery({ before: '' }))).toEqual(['before'])
    expect(pathsOf(() => parseListTasksQuery({ after: id, before: id }))).toEqual(['before'])
    expect(pathsOf(() => parseListTasksQuery({ after: id, page: '2' }))).toEqual(['page'])
  })
})

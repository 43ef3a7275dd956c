import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { JobView } from '../schemas/job-view.ts'
import { jobFacts, links, taskFacts } from '../testing/facts.ts'
import { toJobSummary } from './to-job-summary.ts'
import { toJobView } from './to-job-view.ts'

describe('a job', () => {
  it('has every field of the resource, with null and {} for what is absent [S-job-01, S-job-03, S-job-04, D-shape-01]', () => {
    expect(toJobView(jobFacts({ tasks: [] }), links)).toEqual({
      id: '695661c00000a1b2c3d4e500',
      tag: null,
      status: 'created',
      createdAt: '2026-01-01T12:00:00.000Z',
      updatedAt: '2026-01-01T12:00:00.000Z',
      startedAt: null,
      endedAt: null,
      expiresAt: '2026-01-02T12:00:00.000Z',
      result: {},
      tasks: [],
    })
  })

  it('shows its tasks in the order of the record, with payload, deleted ones as tombstones [S-job-05, D-shape-08]', () => {
    const tasks = [taskFacts({ name: 'b' }), taskFacts({ name: 'a', status: 'deleted' })]
    const view = toJobView(jobFacts({ tasks }), links)
    expect(view.tasks?.map(({ name, payload }) => [name, payload])).toEqual([
      ['b', { output_format: 'webp' }],
      ['a', {}],
    ])
  })

  it('carries errorCode and msg when it failed [S-job-07, S-err-10]', () => {
    const failed = jobFacts({ status: 'failed', errorCode: 'task_canceled', msg: 'The task a was canceled.' })
    expect(toJobView(failed, links).result).toEqual({ errorCode: 'task_canceled', msg: 'The task a was canceled.' })
  })

  it('is shown without tasks in a list that did not ask for them [S-job-06]', () => {
    const summary = toJobSummary(jobFacts())
    expect(summary).not.toHaveProperty('tasks')
    expect(isValid(JobView, summary)).toBe(true)
  })

  it('matches its schema', () => {
    expect(isValid(JobView, toJobView(jobFacts(), links))).toBe(true)
  })
})

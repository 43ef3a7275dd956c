import { eventTypes } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { EventView } from '../schemas/event-view.ts'
import { jobFacts, links, now, taskFacts } from '../testing/facts.ts'
import { toEventView } from './to-event-view.ts'
import { toJobView } from './to-job-view.ts'
import { toTaskView } from './to-task-view.ts'

const facts = { id: '695661c00000a1b2c3d4e5aa', createdAt: now, seq: 7 }

describe('an event [D-event-10]', () => {
  it('has id, type, createdAt, seq and the task or the job as the API shows it', () => {
    expect(toEventView({ ...facts, type: 'task.started' }, { task: taskFacts() }, links)).toEqual({
      id: '695661c00000a1b2c3d4e5aa',
      type: 'task.started',
      createdAt: '2026-01-01T12:00:00.000Z',
      seq: 7,
      data: { task: toTaskView(taskFacts(), links) },
    })
    expect(toEventView({ ...facts, type: 'job.failed' }, { job: jobFacts() }, links).data).toEqual({
      job: toJobView(jobFacts(), links),
    })
  })

  it('matches its schema, whatever its type', () => {
    for (const type of eventTypes) {
      const about = type.startsWith('job.') ? { job: jobFacts() } : { task: taskFacts({ status: 'deleted' }) }
      expect(isValid(EventView, toEventView({ ...facts, type }, about, links))).toBe(true)
    }
  })
})

import { eventTypes, failures } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { interfaceVersion } from './interface-version.ts'
import { buildOpenApi } from './openapi/build-openapi.ts'
import { isValid } from './parse/check-fields.ts'
import { TaskView, taskErrorCodes } from './schemas/task-view.ts'
import { links, taskFacts } from './testing/facts.ts'
import { toTaskView } from './views/to-task-view.ts'

describe('the description', () => {
  it('is labelled as version 1.0.5 of the interface, and names the release of Lathe (C13) [S-gen-03]', () => {
    expect(interfaceVersion).toBe('1.0.5')
    expect(buildOpenApi({ version: '9.9.9' }).info).toMatchObject({ version: '1.0.5', 'x-lathe-version': '9.9.9' })
  })
})

describe('the error code of a failed task', () => {
  const failedWith = (errorCode: string) => ({
    ...toTaskView(taskFacts({ status: 'failed', errorCode: 'processing_failed' }), links),
    result: { errorCode },
  })

  it('takes the eight codes of the interface for a task, and no other [S-err-11]', () => {
    const eight = [
      'upload_timeout',
      'engine_timeout',
      'out_of_conversion_minutes',
      'out_of_conversion_minutes_per_task',
      'user_deleted_task',
      'insufficient_permission',
      'invalid_credentials',
      'processing_failed',
    ]
    expect([...taskErrorCodes].sort()).toEqual(eight.sort())
    for (const code of eight) expect(isValid(TaskView, failedWith(code)), code).toBe(true)
    expect(isValid(TaskView, failedWith('input_damaged'))).toBe(false)
  })

  it('gives every reason one of the eight codes and words of what to do [D-state-18]', () => {
    for (const [reason, { errorCode, text }] of Object.entries(failures)) {
      expect(taskErrorCodes, reason).toContain(errorCode)
      expect(text, reason).toMatch(/^[A-Z].{15,}\.$/)
    }
  })

  it('has a reason for each of the eight codes', () => {
    const codes = new Set(Object.values(failures).map(({ errorCode }) => errorCode))
    expect([...codes].sort()).toEqual([...taskErrorCodes].sort())
  })
})

describe('the vocabulary of events', () => {
  it('holds eleven words [D-event-01]', () => {
    const words = ['job.created', 'job.started', 'job.completed', 'job.failed', 'task.created', 'task.started']
    const more = ['task.progress', 'task.completed', 'task.failed', 'task.canceled', 'task.deleted']
    expect([...eventTypes].sort()).toEqual([...words, ...more].sort())
  })
})

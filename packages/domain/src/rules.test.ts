import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventTypes, jobEvent, taskEvent } from './events.ts'
import { failure, failures } from './failures.ts'
import { canMoveJob, jobStatusAfter, jobStatuses, jobStatusOf } from './job-state.ts'
import { createdAtOf, createIdMint, firstIdAt, isObjectId } from './object-id.ts'
import { readinessOf } from './readiness.ts'
import { filesExpireAt, recordExpiresAt } from './retention.ts'
import { afterFailure, afterWorkerDeath, isQuarantined } from './retry.ts'
import { canMoveTask, isOpen, taskStatuses } from './task-state.ts'

describe('the life of a task', () => {
  it('never completes without having been processing', () => {
    expect(taskStatuses.filter((from) => canMoveTask(from, 'completed'))).toEqual(['processing'])
  })

  it('leaves a terminal state only by deletion [D-state-10]', () => {
    const closed = taskStatuses.filter((status) => !isOpen(status))
    for (const from of closed) {
      expect(taskStatuses.filter((to) => canMoveTask(from, to))).toEqual(from === 'deleted' ? [] : ['deleted'])
    }
  })

  it('can be canceled only while created or processing [S-state-03, S-tasks-17]', () => {
    expect(taskStatuses.filter((from) => canMoveTask(from, 'canceled'))).toEqual(['created', 'processing'])
  })
})

describe('the life of a job', () => {
  it('never leaves completed or failed', () => {
    for (const to of jobStatuses) {
      expect(canMoveJob('completed', to)).toBe(false)
      expect(canMoveJob('failed', to)).toBe(false)
    }
  })

  it('follows from its tasks [S-state-11, D-state-12]', () => {
    expect(jobStatusOf(['created', 'created'])).toBe('created')
    expect(jobStatusOf(['created', 'processing'])).toBe('processing')
    expect(jobStatusOf(['processing', 'created', 'failed'])).toBe('failed')
    expect(jobStatusOf(['completed', 'completed'])).toBe('completed')
  })

  it('moves with a task until it is over, to a state that it may move to', () => {
    expect(jobStatusAfter('created', 'created', 2)).toBe('created')
    expect(jobStatusAfter('processing', 'created', 2)).toBe('processing')
    expect(jobStatusAfter('created', 'completed', 1)).toBe('processing')
    expect(jobStatusAfter('processing', 'completed', 0)).toBe('completed')
    expect(jobStatusAfter('processing', 'canceled', 1)).toBe('failed')
    for (const from of jobStatuses) {
      for (const to of taskStatuses) {
        const after = [0, 1].map((remaining) => jobStatusAfter(from, to, remaining))
        expect(after.every((status) => status === from || canMoveJob(from, status))).toBe(true)
      }
    }
  })
})

describe('an id', () => {
  const mint = createIdMint({
    cell: 7,
    process: 0xabcdef,
    firstCount: 0xfffffe,
    now: () => new Date(1_700_000_000_999),
  })

  it('contains the second of its creation', () => {
    expect(createdAtOf(mint.next())).toEqual(new Date(1_700_000_000_000))
  })

  it('is 24 hex digits and never repeats while the counter wraps [S-task-01]', () => {
    const ids = Array.from({ length: 1000 }, () => mint.next())
    expect(ids.every(isObjectId)).toBe(true)
    expect(new Set(ids).size).toBe(1000)
  })

  it('is at or above the first id of its second and below that of the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (second) => {
        const id = mint.next(new Date(second * 1000))
        expect(id >= firstIdAt(new Date(second * 1000 + 999))).toBe(true)
        expect(id < firstIdAt(new Date(second * 1000 + 1000))).toBe(true)
      }),
    )
  })
})

describe('retry', () => {
  it('makes three attempts for a transient failure, waiting longer each time [D-state-04, L-crashes]', () => {
    const cause = failure('source_unreachable')
    const after = (before: number) => afterFailure(cause, { failures: before, crashes: 0 })
    expect(after(0)).toEqual({ kind: 'retry', delayMs: 1_000 })
    expect(after(1)).toEqual({ kind: 'retry', delayMs: 4_000 })
    expect(after(2)).toEqual({ kind: 'give-up', failure: cause })
  })

  it('makes one attempt for a damaged input [D-state-05]', () => {
    expect(afterFailure(failure('input_damaged'), { failures: 0, crashes: 0 }).kind).toBe('give-up')
  })

  it('quarantines content with the second engine it stops, whichever attempt at a task that is [D-state-35, L-crashes]', () => {
    const crash = failure('engine_crashed', { detail: 'signal 11' })
    expect(afterFailure(crash, { failures: 0, crashes: 0 })).toEqual({ kind: 'retry', delayMs: 1_000 })
    for (const failures of [0, 1, 2]) {
      expect(afterFailure(crash, { failures, crashes: 1 })).toEqual({
        kind: 'give-up',
        failure: failure('input_quarantined', { detail: 'signal 11' }),
      })
    }
    expect([0, 1, 2, 3].map(isQuarantined)).toEqual([false, false, true, true])
  })

  it('does not quarantine content for what is not its fault', () => {
    for (const code of ['source_unreachable', 'internal'] as const) {
      expect(afterFailure(failure(code), { failures: 0, crashes: 1 }).kind).toBe('retry')
    }
    expect(afterFailure(failure('input_damaged'), { failures: 0, crashes: 1 })).toEqual({
      kind: 'give-up',
      failure: failure('input_damaged'),
    })
  })

  it('never retries an input that killed two workers [D-state-06]', () => {
    const alone = { kind: 'retry', lane: 'alone', isBlamed: true }
    expect(afterWorkerDeath({ deathsBefore: 0, doing: 'engine', lane: 'quick' })).toEqual(alone)
    expect(afterWorkerDeath({ deathsBefore: 1, doing: 'engine', lane: 'alone' })).toEqual({
      kind: 'give-up',
      failure: failure('input_quarantined'),
    })
  })

  it('fails transfers after ten worker deaths', () => {
    const after = (deathsBefore: number) => afterWorkerDeath({ deathsBefore, doing: 'carry', lane: 'quick' })
    for (let deaths = 0; deaths < 9; deaths += 1) {
      expect(after(deaths)).toEqual({ kind: 'retry', lane: 'quick', isBlamed: true })
    }
    expect(after(9)).toEqual({ kind: 'give-up', failure: failure('internal') })
  })
})

describe('readiness', () => {
  const input = (status: (typeof taskStatuses)[number], expired = false) => ({ status, expired })

  it('waits for every input that has not completed', () => {
    expect(readinessOf([input('completed'), input('processing'), input('created')])).toEqual({
      kind: 'waiting',
      pending: 2,
    })
    expect(readinessOf([input('completed')])).toEqual({ kind: 'ready' })
    expect(readinessOf([])).toEqual({ kind: 'ready' })
  })

  it('fails with user_deleted_task when an input was deleted and processing_failed otherwise [S-err-14, S-err-17, D-state-07, D-state-16, D-state-17]', () => {
    const codes = [input('deleted'), input('failed'), input('canceled'), input('completed', true)].map((state) => {
      const readiness = readinessOf([state])
      return readiness.kind === 'doomed' && failures[readiness.cause].errorCode
    })
    expect(codes).toEqual(['user_deleted_task', 'processing_failed', 'processing_failed', 'processing_failed'])
  })
})

describe('the vocabulary', () => {
  it('has an event for every status [S-state-01, D-event-01]', () => {
    for (const status of taskStatuses) expect(eventTypes).toContain(taskEvent(status))
    for (const status of jobStatuses) expect(eventTypes).toContain(jobEvent(status))
  })

  it('keeps files 4 hours and records 24 hours [S-gen-17, S-lim-04, L-life]', () => {
    const made = new Date('2026-01-01T00:00:00Z')
    expect(filesExpireAt(made)).toEqual(new Date('2026-01-01T04:00:00Z'))
    expect(recordExpiresAt(made)).toEqual(new Date('2026-01-02T00:00:00Z'))
  })
})

import type { Event } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { createAccountBook, createBook } from './book.ts'

const started = (seq: number) => ({ seq, type: 'task.started' as const })

describe('the record of a listener', () => {
  it('accepts every event at least once and in order', () => {
    const book = createBook()
    for (const seq of [1, 2, 1, 2, 3]) book.note(started(seq))
    book.note({ seq: 4, type: 'job.completed' })
    expect([book.fault(4), book.repeats, book.isComplete, book.last]).toEqual([undefined, 2, true, 4])
  })

  it('reports gaps, wrong order, and missing events at the end [D-event-11]', () => {
    const gap = createBook()
    for (const seq of [1, 3, 2]) gap.note(started(seq))
    expect(gap.fault(3)).toBe('3 came after 1')
    const short = createBook()
    short.note(started(1))
    expect(short.fault(2)).toBe('told up to 1 of 2')
  })
})

describe('the record of an account', () => {
  const event = (seq: number, type: string) =>
    ({ seq, type, createdAt: `2026-01-01T00:00:0${seq}.000Z`, data: { job: { id: 'j' } } }) as unknown as Event

  it('combines the channels', () => {
    const book = createAccountBook()
    book.note(event(2, 'job.started'), 'jobs')
    book.note(event(1, 'task.created'), 'tasks')
    book.note(event(2, 'job.started'), 'jobs')
    expect([book.fault('j', 2), book.repeats, book.since]).toEqual([undefined, 1, '2026-01-01T00:00:02.000Z'])
  })

  it('reports missing events, and wrong order within a channel', () => {
    const book = createAccountBook()
    book.note(event(2, 'job.started'), 'jobs')
    expect(book.fault('j', 2)).toBe('never told 1 of 2')
    book.note(event(1, 'job.created'), 'jobs')
    expect(book.fault('j', 2)).toBe('1 came after 2 on jobs')
  })
})

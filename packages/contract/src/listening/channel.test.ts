import { describe, expect, it } from 'vitest'
import { parseChannel, parseChannelStart } from './channel.ts'

const id = '695661c00000a1b2c3d4e501'

describe('a channel', () => {
  it('is a job, a task, all jobs, all tasks, or all of an account', () => {
    expect(parseChannel(`job.${id}`)).toEqual({ kind: 'job', id })
    expect(parseChannel(`task.${id.toUpperCase()}`)).toEqual({ kind: 'task', id })
    expect(parseChannel('jobs')).toEqual({ kind: 'jobs' })
    expect(parseChannel('tasks')).toEqual({ kind: 'tasks' })
    expect(parseChannel('account')).toEqual({ kind: 'account' })
  })

  it.each([
    undefined,
    null,
    7,
    {},
    ['jobs'],
    '',
    'job',
    'job.',
    `job.${id}x`,
    `job.${id}\n`,
    `user.${id}`,
    'Jobs',
    '*',
    'job.__proto__',
  ])('is nothing else: %j', (value) => {
    expect(() => parseChannel(value)).toThrow(/channel: must/)
  })
})

describe('the start of a subscription', () => {
  const job = parseChannel(`job.${id}`)
  const jobs = parseChannel('jobs')

  it('is a number for a job or task, a moment for a whole account, and may be left out', () => {
    expect(parseChannelStart(job, undefined)).toEqual({})
    expect(parseChannelStart(job, {})).toEqual({})
    expect(parseChannelStart(job, { after: 0 })).toEqual({ after: 0 })
    expect(parseChannelStart(jobs, { since: '2026-01-01T12:00:00.000Z' })).toEqual({
      since: new Date('2026-01-01T12:00:00.000Z'),
    })
  })

  it.each([{ after: -1 }, { after: 1.5 }, { after: 2 ** 31 }, { after: '1e3' }, { since: 'x' }, { later: 1 }, 7, []])(
    'is nothing else for a job: %j',
    (value) => expect(() => parseChannelStart(job, value)).toThrow(/after|since|later|options/),
  )

  it.each([{ after: 1 }, { since: 5 }, { since: 'yesterday' }, { since: '2026' }, { since: '2026-13-01T00:00:00Z' }])(
    'is nothing else for a whole account: %j',
    (value) => expect(() => parseChannelStart(jobs, value)).toThrow(/after|since/),
  )
})

import { describe, expect, it } from 'vitest'
import type { EventRow, FinalRecord, TaskRow } from '../final-record.ts'
import type { Entry } from '../history.ts'
import { checkRun } from './check-run.ts'
import type { Rule } from './facts.ts'

const [red, blue] = ['a'.repeat(64), 'b'.repeat(64)]

function task(id: string, more: Partial<TaskRow> = {}): TaskRow {
  const own = { jobId: null, marker: `${id}.txt`, name: 'import/base64', operation: 'import/base64', ownerId: 'o' }
  const end = { status: 'completed', reason: null, detail: null, attempt: 1, workerDeaths: 0, workMs: 20 }
  return { id, ...own, ...end, engineMs: null, dependsOn: [], ...more }
}

function events(subject: string, ...reported: readonly (readonly [type: string, task?: string])[]): EventRow[] {
  return reported.map(([type, task], i) => ({ subject, seq: i + 1, type, task: task ?? null }))
}

const ended = (id: string) => events(id, ['task.created', id], ['task.started', id], ['task.completed', id])

/** A task outside a job, a job that imports and converts, and a task that was canceled. */
const record: FinalRecord = {
  owners: [
    { id: 'o', slotsUsed: 0, backlog: 0, usedMs: 400, bytesCounted: 9, bytesStored: 9, endsCounted: 4, ends: 4 },
  ],
  jobs: [{ id: 'j', marker: 'job-1', status: 'completed', deleted: false }],
  tasks: [
    task('t'),
    task('c', { status: 'canceled' }),
    task('i', { jobId: 'j', marker: null, name: 'take' }),
    task('p', {
      jobId: 'j',
      marker: null,
      name: 'turn',
      operation: 'convert',
      workMs: 900,
      engineMs: 400,
      dependsOn: ['i'],
    }),
  ],
  events: [
    ...ended('t'),
    ...events('c', ['task.created', 'c'], ['task.canceled', 'c']),
    ...events(
      'j',
      ['job.created'],
      ['task.created', 'i'],
      ['task.created', 'p'],
      ['job.started'],
      ['task.started', 'i'],
      ['task.completed', 'i'],
      ['task.started', 'p'],
      ['task.completed', 'p'],
      ['job.completed'],
    ),
  ],
  files: [
    { task: 't', key: 'k/t', sha256: red, deleted: false, stored: red },
    { task: 'i', key: 'k/i', sha256: red, deleted: false, stored: red },
    { task: 'p', key: 'k/p', sha256: blue, deleted: false, stored: blue },
  ],
  objects: [
    { key: 'k/t', ageMs: 9_000_000 },
    { key: 'k/lost-attempt', ageMs: 60_000 },
  ],
  mostUnreferencedMs: 3_600_000,
}

const seen = (id: string, status: string, name = 'import/base64') => ({ id, name, status })

const history: readonly Entry[] = [
  { kind: 'sent', at: 1, call: 1, op: 'create', marker: 't.txt', key: 'k1', expects: { file: red } },
  { kind: 'unknown', at: 2, call: 1, why: 'socket closed' },
  { kind: 'sent', at: 3, call: 2, op: 'create', marker: 't.txt', key: 'k1', expects: { file: red } },
  { kind: 'answered', at: 4, call: 2, status: 201, id: 't', replayed: true, tasks: [seen('t', 'processing')] },
  { kind: 'sent', at: 5, call: 3, op: 'create', marker: 'job-1', expects: { take: red, turn: blue } },
  {
    kind: 'answered',
    at: 6,
    call: 3,
    status: 201,
    id: 'j',
    tasks: [seen('i', 'created', 'take'), seen('p', 'created', 'turn')],
  },
  { kind: 'sent', at: 7, call: 4, op: 'create', marker: 'c.txt' },
  { kind: 'answered', at: 8, call: 4, status: 201, id: 'c', tasks: [seen('c', 'created')] },
  { kind: 'sent', at: 9, call: 5, op: 'cancel', subject: 'c' },
  { kind: 'answered', at: 10, call: 5, status: 200, id: 'c', tasks: [seen('c', 'canceled')] },
  { kind: 'sent', at: 11, call: 6, op: 'read', subject: 't' },
  { kind: 'answered', at: 12, call: 6, status: 200, id: 't', tasks: [seen('t', 'completed')] },
  ...[1, 2, 3, 2, 3, 4, 5, 6, 7, 8, 9].map(
    (seq): Entry => ({
      kind: 'heard',
      listener: 1,
      subject: 'j',
      seq,
      type: record.events.find((event) => event.subject === 'j' && event.seq === seq)?.type ?? '',
    }),
  ),
  { kind: 'over', listener: 1, subject: 'j' },
  { kind: 'downloaded', task: 'p', sha256: blue },
  { kind: 'fault', at: 13, fault: 'kill', target: 'api-1', tookMs: 5, recoveryMs: 10 },
]

const rulesBroken = (entries: readonly Entry[], end: FinalRecord) => [
  ...new Set(checkRun(entries, end).map(({ rule }) => rule)),
]

/** The sound run with one thing about a task changed. */
const withTask = (id: string, more: Partial<TaskRow>): FinalRecord => ({
  ...record,
  tasks: record.tasks.map((one) => (one.id === id ? { ...one, ...more } : one)),
})
const withEvents = (change: (all: readonly EventRow[]) => readonly EventRow[]): FinalRecord => ({
  ...record,
  events: change(record.events),
})
const withHistory = (change: (entry: Entry) => Entry | readonly Entry[]): readonly Entry[] => history.flatMap(change)
const owner = {
  id: 'o',
  slotsUsed: 0,
  backlog: 0,
  usedMs: 400,
  bytesCounted: 9,
  bytesStored: 9,
  endsCounted: 4,
  ends: 4,
}

describe('the checker of a run', () => {
  it('accepts a valid run', () => {
    expect(checkRun(history, record)).toEqual([])
  })

  it('treats a request without a response as one with an unknown outcome', () => {
    const unanswered: Entry = { kind: 'sent', at: 20, call: 20, op: 'create', marker: 'u.txt', expects: { file: red } }
    expect(checkRun([...history, unanswered], record)).toEqual([])
    const file = { task: 'u', key: 'k/u', sha256: red, deleted: false, stored: red }
    const done = {
      tasks: [...record.tasks, task('u')],
      events: [...record.events, ...ended('u')],
      files: [...record.files, file],
    }
    expect(checkRun([...history, unanswered], { ...record, ...done })).toEqual([])
  })

  const planted: readonly (readonly [name: string, rule: Rule, entries: readonly Entry[], end: FinalRecord])[] = [
    [
      'an accepted task that is not in the record',
      'lost',
      history,
      {
        ...record,
        tasks: record.tasks.filter(({ id }) => id !== 't'),
        events: record.events.filter(({ subject }) => subject !== 't'),
        files: record.files.filter(({ task: id }) => id !== 't'),
      },
    ],
    [
      'a task of an accepted job that is not in the record',
      'lost',
      history,
      { ...record, tasks: record.tasks.filter(({ id }) => id !== 'i') },
    ],
    ['a task that never ends', 'lost', history, withTask('t', { status: 'processing' })],
    [
      'a job that never ends',
      'lost',
      history,
      { ...record, jobs: [{ id: 'j', marker: 'job-1', status: 'processing', deleted: false }] },
    ],
    [
      'two tasks of one request',
      'twice',
      history,
      {
        ...record,
        tasks: [...record.tasks, task('t2', { marker: 't.txt' })],
        events: [...record.events, ...ended('t2')],
        files: [...record.files, { task: 't2', key: 'k/t2', sha256: red, deleted: false, stored: red }],
      },
    ],
    [
      'two answers to one key',
      'twice',
      [
        ...history,
        { kind: 'sent', at: 30, call: 30, op: 'create', marker: 't.txt', key: 'k1' },
        { kind: 'answered', at: 31, call: 30, status: 201, id: 'c' },
      ],
      record,
    ],
    [
      'a task nobody asked for',
      'twice',
      history,
      {
        ...record,
        tasks: [...record.tasks, task('x')],
        events: [...record.events, ...ended('x')],
        files: [...record.files, { task: 'x', key: 'k/x', sha256: red, deleted: false, stored: red }],
      },
    ],
    [
      'a task with two ends in the log',
      'twice',
      history,
      withEvents((all) => [...all, { subject: 't', seq: 4, type: 'task.completed', task: 't' }]),
    ],
    [
      'a job with two ends in the log',
      'twice',
      history,
      withEvents((all) => [...all, { subject: 'j', seq: 10, type: 'job.completed', task: null }]),
    ],
    [
      'a task seen completed and then running',
      'twice',
      [
        ...history,
        { kind: 'sent', at: 20, call: 21, op: 'read', subject: 't' },
        { kind: 'answered', at: 21, call: 21, status: 200, id: 't', tasks: [seen('t', 'processing')] },
      ],
      record,
    ],
    [
      'a task seen completed that ended otherwise',
      'twice',
      history,
      withTask('t', { status: 'failed', reason: 'internal' }),
    ],
    [
      'a gap in the log',
      'events',
      history,
      withEvents((all) => all.filter(({ subject, seq }) => subject !== 't' || seq !== 2)),
    ],
    [
      'a task without its end in the log',
      'events',
      history,
      withEvents((all) => all.filter(({ subject, seq }) => subject !== 't' || seq !== 3)),
    ],
    [
      'a log without the creation of a task',
      'events',
      history,
      withEvents((all) =>
        all.map((event) => (event.subject === 't' && event.seq === 1 ? { ...event, type: 'task.started' } : event)),
      ),
    ],
    [
      'events out of order in the log',
      'events',
      history,
      withEvents((all) =>
        all.map((event) =>
          event.subject === 't' && event.seq > 1
            ? { ...event, type: event.seq === 2 ? 'task.completed' : 'task.started' }
            : event,
        ),
      ),
    ],
    [
      'a listener that misses an event',
      'events',
      withHistory((entry) => (entry.kind === 'heard' && entry.seq === 4 ? [] : entry)),
      record,
    ],
    [
      'a listener that is not sent the end',
      'events',
      withHistory((entry) => (entry.kind === 'heard' && entry.seq === 9 ? [] : entry)),
      record,
    ],
    [
      'a listener that hears another event than the log has',
      'events',
      withHistory((entry) => (entry.kind === 'heard' && entry.seq === 4 ? { ...entry, type: 'job.failed' } : entry)),
      record,
    ],
    [
      'a file with other bytes in the record',
      'bytes',
      history,
      {
        ...record,
        files: record.files.map((file) => (file.task === 't' ? { ...file, sha256: blue, stored: blue } : file)),
      },
    ],
    [
      'a file with other bytes in the store',
      'bytes',
      history,
      { ...record, files: record.files.map((file) => (file.task === 't' ? { ...file, stored: blue } : file)) },
    ],
    [
      'a file that is not in the store',
      'bytes',
      history,
      { ...record, files: record.files.map((file) => (file.task === 't' ? { ...file, stored: null } : file)) },
    ],
    [
      'a completed task without a file',
      'bytes',
      history,
      { ...record, files: record.files.filter((file) => file.task !== 't') },
    ],
    [
      'a download of other bytes',
      'bytes',
      withHistory((entry) => (entry.kind === 'downloaded' ? { ...entry, sha256: red } : entry)),
      record,
    ],
    ['minutes paid twice', 'minutes', history, { ...record, owners: [{ ...owner, usedMs: 800 }] }],
    [
      'minutes paid for the waiting of an engine',
      'minutes',
      history,
      { ...record, owners: [{ ...owner, usedMs: 600 }] },
    ],
    ['minutes not paid', 'minutes', history, { ...record, owners: [{ ...owner, usedMs: 0 }] }],
    ['a slot that is still taken', 'slots', history, { ...record, owners: [{ ...owner, slotsUsed: 1 }] }],
    ['bytes counted without a file', 'storage', history, { ...record, owners: [{ ...owner, bytesCounted: 10 }] }],
    ['an end counted twice', 'usage', history, { ...record, owners: [{ ...owner, endsCounted: 5 }] }],
    ['a backlog that is not empty', 'slots', history, { ...record, owners: [{ ...owner, backlog: 1 }] }],
    [
      'an old object that belongs to nothing',
      'orphans',
      history,
      { ...record, objects: [{ key: 'k/x', ageMs: 3_700_000 }] },
    ],
    [
      'an old object of a deleted file',
      'orphans',
      history,
      {
        ...record,
        objects: [{ key: 'k/c', ageMs: 3_700_000 }],
        files: [...record.files, { task: 'c', key: 'k/c', sha256: red, deleted: true, stored: red }],
      },
    ],
    [
      'a confirmed cancel without effect',
      'undone',
      history,
      withTask('c', { status: 'failed', reason: 'input_failed' }),
    ],
    [
      'a confirmed delete without effect',
      'undone',
      [
        ...history,
        { kind: 'sent', at: 20, call: 22, op: 'delete', subject: 't' },
        { kind: 'answered', at: 21, call: 22, status: 200 },
      ],
      record,
    ],
    ['a valid file that fails', 'failed', history, withTask('p', { status: 'failed', reason: 'internal' })],
    [
      'a task that fails by an input that did not',
      'failed',
      history,
      withTask('p', { status: 'failed', reason: 'input_failed' }),
    ],
    [
      'a file in quarantine without the death of a worker',
      'failed',
      history,
      withTask('p', { status: 'failed', reason: 'input_quarantined' }),
    ],
  ]

  it.each(planted)('finds %s', (_, rule, entries, end) => {
    expect(rulesBroken(entries, end)).toContain(rule)
  })

  it('excuses a conversion at which workers were killed, and tasks whose input failed', () => {
    const killed = withTask('p', { status: 'failed', reason: 'input_quarantined', workerDeaths: 2 })
    expect(rulesBroken(history, killed)).not.toContain('failed')
    const tasks = record.tasks.map((one) => {
      if (one.id === 'i') return { ...one, status: 'failed', reason: 'input_quarantined', workerDeaths: 1 }
      return one.id === 'p' ? { ...one, status: 'failed', reason: 'input_failed' } : one
    })
    expect(rulesBroken(history, { ...record, tasks })).not.toContain('failed')
  })
})

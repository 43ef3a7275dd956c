import type { Event } from '@lathe/contract'
import type { EventRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { silentLog } from '@lathe/runtime'
import { createTestClock } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import type { EventSource, ProgressUpdate } from '../event-source.ts'
import { createHub } from './hub.ts'
import type { Feed, Listener } from './listener.ts'

const hex = (n: number) => n.toString(16).padStart(24, '0')
const [jobA, jobB, taskA, taskB, owner] = [hex(1), hex(2), hex(11), hex(12), hex(99)]

/** An event log in memory that records its queries. */
function createLog(clock = createTestClock(new Date('2026-01-01T12:00:00Z'))) {
  const events: (EventRecord & { owner: ObjectId })[] = []
  const asked: number[] = []
  let isDown = false
  let beforeRead = async () => {}
  const subjectsOf = ({ ownerId }: Feed) => [
    ...new Set(events.filter((one) => one.owner === ownerId).map(({ subjectId }) => subjectId)),
  ]
  const view = ({ id, type, seq, createdAt }: Pick<EventRecord, 'id' | 'seq' | 'createdAt'> & { type: string }) =>
    ({ id, type, seq, createdAt: createdAt.toISOString(), data: {} }) as unknown as Event
  const source: EventSource = {
    async read(marks, limit) {
      asked.push(marks.length)
      if (isDown) throw new Error('the log is down')
      const found = events
        .filter(({ subjectId, seq }) => marks.some((mark) => mark.subjectId === subjectId && mark.after < seq))
        .sort((a, b) => (a.subjectId === b.subjectId ? a.seq - b.seq : a.subjectId < b.subjectId ? -1 : 1))
        .slice(0, limit)
      await beforeRead()
      return found
    },
    tell: async (reported) => new Map(reported.map((event) => [event.id, view(event)])),
    renderProgress: async (news) =>
      new Map(news.map(({ task }) => [task, view({ id: 'p', type: 'task.progress', seq: 0, createdAt: clock.now() })])),
    heads: async (ids) =>
      new Map(ids.map((id) => [id, events.filter(({ subjectId }) => subjectId === id).length] as const)),
    newest: async (feed, limit) => subjectsOf(feed).slice(-limit),
    changed: async (feed, since) =>
      subjectsOf(feed).filter((id) => events.some((one) => one.subjectId === id && one.createdAt >= since)),
  }
  return {
    clock,
    source,
    asked,
    happen(subjectId: ObjectId, taskId: ObjectId | null = null, count = 1) {
      for (let i = 0; i < count; i += 1) {
        const seq = events.filter((one) => one.subjectId === subjectId).length + 1
        const type = taskId ? 'task.started' : 'job.started'
        events.push({ id: `${subjectId}/${seq}`, subjectId, seq, type, taskId, createdAt: clock.now(), owner })
      }
      return { subjectId, ownerId: owner, seq: events.filter((one) => one.subjectId === subjectId).length }
    },
    setDown: (down: boolean) => {
      isDown = down
    },
    whileReading: (work: () => Promise<void>) => {
      beforeRead = work
    },
  }
}

/** A listener that keeps the events it takes, and takes no more than it has room for. */
function createEar(room = Number.POSITIVE_INFINITY) {
  const heard: Event[] = []
  let left = room
  let through = 0
  const listener: Listener = {
    room: () => left,
    take(events, reported) {
      heard.push(...events)
      left -= events.length
      through = reported.through
    },
  }
  return {
    listener,
    heard,
    seqs: () => heard.map(({ seq }) => seq),
    through: () => through,
    makeRoom: (more: number) => {
      left += more
    },
  }
}

function setUp() {
  const log = createLog()
  const hub = createHub({ source: log.source, clock: log.clock, log: silentLog })
  return { ...log, hub }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('a listener of a job', () => {
  it('receives earlier events and then new ones, each once and in order [D-event-11]', async () => {
    const { hub, happen } = setUp()
    happen(jobA, null, 3)
    const ear = createEar()
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    await expect.poll(ear.seqs).toEqual([1, 2, 3])
    hub.hint([happen(jobA, null, 2)])
    await expect.poll(ear.seqs).toEqual([1, 2, 3, 4, 5])
    await hub.tick()
    expect(ear.seqs()).toEqual([1, 2, 3, 4, 5])
  })

  it('resumes after a given number', async () => {
    const { hub, happen } = setUp()
    happen(jobA, null, 5)
    const ear = createEar()
    hub.watchSubject({ subjectId: jobA, after: 3 }, ear.listener)
    await expect.poll(ear.seqs).toEqual([4, 5])
  })

  it('misses no event when every hint is lost [D-event-11]', async () => {
    const { hub, happen } = setUp()
    const ear = createEar()
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    for (let i = 0; i < 5; i += 1) {
      happen(jobA)
      await hub.tick()
    }
    expect(ear.seqs()).toEqual([1, 2, 3, 4, 5])
  })

  it('handles a hint that arrives while the log is being read', async () => {
    const { hub, happen, whileReading } = setUp()
    const ear = createEar()
    let isFirst = true
    whileReading(async () => {
      if (isFirst) hub.hint([happen(jobA)])
      isFirst = false
    })
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    await expect.poll(ear.seqs).toEqual([1])
  })

  it('receives nothing of other jobs, and nothing after it was closed', async () => {
    const { hub, happen } = setUp()
    const ear = createEar()
    const watch = hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    hub.hint([happen(jobB)])
    await hub.tick()
    watch[Symbol.dispose]()
    hub.hint([happen(jobA)])
    await hub.tick()
    expect(ear.heard).toEqual([])
  })

  it('receives everything once the log can be read again', async () => {
    const { hub, happen, setDown } = setUp()
    const ear = createEar()
    happen(jobA, null, 2)
    setDown(true)
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    await hub.tick()
    expect(ear.heard).toEqual([])
    setDown(false)
    await hub.tick()
    expect(ear.seqs()).toEqual([1, 2])
  })

  it('that is slow pauses reading while its buffer is full, and resumes from the log', async () => {
    const { hub, happen, asked } = setUp()
    const ear = createEar(2)
    happen(jobA, null, 5)
    const watch = hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    await expect.poll(ear.seqs).toEqual([1, 2])
    const before = asked.length
    hub.hint([happen(jobA)])
    await hub.tick()
    expect(asked.length).toBe(before)
    ear.makeRoom(100)
    watch.wake()
    await expect.poll(ear.seqs).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('receives a history longer than a page, next to other listeners', async () => {
    const { hub, happen } = setUp()
    const [first, second] = [createEar(), createEar()]
    happen(jobA, null, 2500)
    happen(jobB, null, 1200)
    hub.watchSubject({ subjectId: jobA, after: 0 }, first.listener)
    hub.watchSubject({ subjectId: jobB, after: 1100 }, second.listener)
    await expect.poll(first.seqs).toEqual(numbers(1, 2500))
    await expect.poll(second.seqs).toEqual(numbers(1101, 1200))
  })

  it('shares one query of the log with all others', async () => {
    const { hub, happen, asked } = setUp()
    const ears = numbers(1, 50).map(() => createEar())
    for (const [i, ear] of ears.entries()) hub.watchSubject({ subjectId: hex(500 + i), after: 0 }, ear.listener)
    await hub.tick()
    // The reads that the watches began have ended by then.
    await new Promise((resolve) => setImmediate(resolve))
    for (const i of ears.keys()) happen(hex(500 + i))
    const before = asked.length
    await hub.tick()
    expect(ears.map((ear) => ear.seqs())).toEqual(ears.map(() => [1]))
    expect(asked.length).toBe(before + 1)
  })
})

describe('a listener of one task of a job', () => {
  it('receives its own events with the numbers of the job, and its position [D-event-16]', async () => {
    const { hub, happen } = setUp()
    happen(jobA)
    happen(jobA, taskA)
    happen(jobA, taskB)
    happen(jobA, taskA)
    happen(jobA)
    const ear = createEar()
    hub.watchSubject({ subjectId: jobA, taskId: taskA, after: 0 }, ear.listener)
    await expect.poll(ear.seqs).toEqual([2, 4])
    expect(ear.through()).toBe(5)
  })
})

describe('a feed', () => {
  it('sends new events of every job of its owner, and of nobody else', async () => {
    const { hub, happen } = setUp()
    happen(jobA, null, 3)
    const ear = createEar()
    const stranger = createEar()
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, ear.listener)
    await hub.watchFeed({ ownerId: hex(98), kind: 'jobs' }, stranger.listener)
    hub.hint([happen(jobA), happen(jobB, null, 2)])
    await expect.poll(() => ear.heard.map(({ id }) => id)).toEqual([`${jobA}/4`, `${jobB}/1`, `${jobB}/2`])
    await hub.tick()
    expect(ear.heard).toHaveLength(3)
    expect(stranger.heard).toEqual([])
  })

  it('of jobs sends events of jobs only, and one of tasks those of all tasks', async () => {
    const { hub, happen } = setUp()
    const [jobs, tasks] = [createEar(), createEar()]
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, jobs.listener)
    await hub.watchFeed({ ownerId: owner, kind: 'tasks' }, tasks.listener)
    happen(jobA)
    happen(jobA, taskA)
    hub.hint([happen(jobA, taskB)])
    await expect.poll(jobs.seqs).toEqual([1])
    await expect.poll(tasks.seqs).toEqual([2, 3])
  })

  it('of everything sends events of jobs and of tasks', async () => {
    const { hub, happen } = setUp()
    const all = createEar()
    await hub.watchFeed({ ownerId: owner, kind: 'all' }, all.listener)
    happen(jobA)
    hub.hint([happen(jobA, taskA)])
    await expect.poll(all.seqs).toEqual([1, 2])
  })

  it('reports up to when it is complete, and not while events are pending [D-event-56]', async () => {
    const { hub, happen, clock, setDown } = setUp()
    const ear = createEar(1)
    const reported: number[] = []
    const began = clock.now().getTime()
    const listener = { ...ear.listener, caughtUp: (moment: Date) => void reported.push(moment.getTime() - began) }
    const watch = await hub.watchFeed({ ownerId: owner, kind: 'all' }, listener)
    await hub.tick()
    expect(reported).toEqual([0])
    clock.advance(30_000)
    happen(jobA, null, 2)
    setDown(true)
    await hub.tick()
    setDown(false)
    await hub.tick()
    expect([ear.seqs(), reported]).toEqual([[1], [0]])
    ear.makeRoom(10)
    watch.wake()
    await expect.poll(ear.seqs).toEqual([1, 2])
    await hub.tick()
    expect(reported).toEqual([0, 30_000])
  })

  it('recovers from a lost hint: at the next tick for new jobs', async () => {
    const { hub, happen } = setUp()
    const ear = createEar()
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, ear.listener)
    happen(jobA, null, 2)
    await hub.tick()
    expect(ear.seqs()).toEqual([1, 2])
  })

  it('recovers for a job that is not among the newest: within 30 seconds, or at once when hints are not trusted [D-event-23]', async () => {
    const { hub, happen, clock } = setUp()
    for (const i of numbers(1, 400)) happen(hex(1000 + i))
    clock.advance(3_600_000)
    const ear = createEar()
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, ear.listener)
    await hub.tick()
    happen(hex(1001))
    clock.advance(1000)
    await hub.tick()
    expect(ear.seqs()).toEqual([])
    clock.advance(30_000)
    await hub.tick()
    expect(ear.seqs()).toEqual([2])
    happen(hex(1001))
    hub.recheckAll()
    await hub.tick()
    expect(ear.seqs()).toEqual([2, 3])
  })

  it('can start in the past, and then sends everything since', async () => {
    const { hub, happen, clock } = setUp()
    happen(jobA)
    clock.advance(600_000)
    const seenAt = clock.now()
    happen(jobA)
    happen(jobB, null, 2)
    clock.advance(300_000)
    const ear = createEar()
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, ear.listener, seenAt)
    await expect.poll(() => ear.heard.map(({ id }) => id)).toEqual([`${jobA}/2`, `${jobB}/1`, `${jobB}/2`])
  })
})

describe('progress', () => {
  const news: ProgressUpdate = { task: taskA, job: jobA, owner, percent: 5, secondsLeft: null }

  it('is sent after logged events, with the number of the last one, at most once a second per task [D-event-13]', async () => {
    const { hub, happen, clock } = setUp()
    const ear = createEar()
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    happen(jobA, taskA, 2)
    hub.progress(news)
    hub.progress(news)
    await expect
      .poll(() => ear.heard.map(({ type, seq }) => [type, seq]))
      .toEqual([
        ['task.started', 1],
        ['task.started', 2],
        ['task.progress', 2],
      ])
    clock.advance(999)
    hub.progress(news)
    await hub.tick()
    expect(ear.heard).toHaveLength(3)
    clock.advance(1)
    hub.progress(news)
    await expect.poll(() => ear.heard.length).toBe(4)
  })

  it('reaches a feed of tasks and listeners of the task, and no listener of another', async () => {
    const { hub, happen } = setUp()
    happen(jobA, taskA)
    const [own, other, tasks, jobs] = [createEar(), createEar(), createEar(), createEar()]
    hub.watchSubject({ subjectId: jobA, taskId: taskA, after: 1 }, own.listener)
    hub.watchSubject({ subjectId: jobA, taskId: taskB, after: 1 }, other.listener)
    await hub.watchFeed({ ownerId: owner, kind: 'tasks' }, tasks.listener)
    await hub.watchFeed({ ownerId: owner, kind: 'jobs' }, jobs.listener)
    hub.progress(news)
    await expect.poll(() => [own.heard.length, tasks.heard.length]).toEqual([1, 1])
    expect([...other.heard, ...jobs.heard]).toEqual([])
  })

  it('is dropped for a listener whose buffer is full', async () => {
    const { hub } = setUp()
    const ear = createEar(0)
    hub.watchSubject({ subjectId: jobA, after: 0 }, ear.listener)
    hub.progress(news)
    await hub.tick()
    expect(ear.heard).toEqual([])
  })
})

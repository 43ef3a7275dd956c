import { bytes, createDatabase, type Fence } from '@lathe/database'
import type { IdMint, ObjectId } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import type { Dispatch, EventHint, Work } from '@lathe/queue'
import { createIds, createMetrics, silentLog } from '@lathe/runtime'
import { createTestClock, createTestDatabase, type TestClock } from '@lathe/testing'
import type { Caller, Context } from '../context.ts'
import type { Attempt } from '../finish-task.ts'
import { createCaretaker, createOrchestrator, createWorkerDesk } from '../orchestrator.ts'
import type { InputRef, NewTask } from '../plan-creation.ts'

/** A dispatch that records its calls instead of sending them to Redis. */
export function createRecordingDispatch() {
  const queued: Work[] = []
  const canceled: ObjectId[] = []
  const ended: ObjectId[] = []
  const reported: EventHint[] = []
  const dispatch: Dispatch = {
    enqueue: async (work) => void queued.push(...work),
    cancel: async (ids) => void canceled.push(...ids),
    async reported(hints, ends = []) {
      reported.push(...hints)
      ended.push(...ends)
    },
  }
  return { dispatch, queued, canceled, ended, reported }
}

/** The orchestrator on a real, new database, with a clock that the test moves. */
export async function createWorkshop({ slots = 10, connections = 20 } = {}) {
  const own = new AsyncDisposableStack()
  const { url } = own.use(await createTestDatabase())
  const database = own.use(createDatabase({ url, connections, timeoutMs: 60_000 }))
  const clock: TestClock = createTestClock(new Date())
  const ids: IdMint = createIds(0)
  const recording = createRecordingDispatch()
  const context: Context = {
    database,
    dispatch: recording.dispatch,
    ids,
    clock,
    log: silentLog,
    metrics: createMetrics(),
  }
  const desk = createWorkerDesk(context)

  async function addOwner(ownSlots = slots): Promise<Caller> {
    const id = ids.next()
    await database.pool.query(`insert into users (id, name) values ($1, 'somebody')`, [bytes(id)])
    await database.pool.query(`insert into owners (id, slots) values ($1, $2)`, [bytes(id), ownSlots])
    return { ownerId: id, userId: id }
  }

  async function addWorker(): Promise<ObjectId> {
    const id = ids.next()
    await desk.register({ id, host: 'test', pools: ['transfer', 'process'], sandboxLevel: 2 })
    return id
  }

  function newTask(operation: Operation = 'import/url', inputs: readonly ObjectId[] = []): NewTask {
    const refs = inputs.map((id): InputRef => ({ kind: 'task', id, path: 'input' }))
    return { id: ids.next(clock.now()), name: operation, operation, payload: {}, inputs: refs }
  }

  return {
    ...recording,
    url,
    context,
    database,
    clock,
    ids,
    desk,
    orchestrator: createOrchestrator(context),
    caretaker: createCaretaker(context),
    addOwner,
    addWorker,
    newTask,
    async start(caller: Caller, workerId: ObjectId): Promise<Fence> {
      const task = newTask()
      await createOrchestrator(context).createTask(caller, task)
      const fence = { taskId: task.id, attempt: 1, workerId }
      if (!(await desk.claim(fence))) throw new Error('the task was not claimed')
      return fence
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

export type Workshop = Awaited<ReturnType<typeof createWorkshop>>

/** A file that a task can have as its output. */
export const someFile = {
  n: 0,
  key: '000000/x/1/0',
  filename: 'x.jpg',
  format: 'jpg',
  size: 3,
  sha256: 'ab'.repeat(32),
  crc32: 7,
}

/** The first attempt of a task that needs no engine. */
export function firstAttempt(fence: Fence): Attempt {
  return { fence, failures: 0, engineInput: null }
}

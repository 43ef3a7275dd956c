import { bytes, type Fence } from '@lathe/database'
import { failure } from '@lathe/domain'
import type { Caller, Context } from '../context.ts'
import { createCaretaker, createOrchestrator, createWorkerDesk } from '../orchestrator.ts'
import { firstAttempt, someFile, type Workshop } from './workshop.ts'

/** Operations that may run at the same time. */
export const pairOperations = ['create', 'claim', 'complete', 'fail', 'cancel', 'delete', 'expire', 'admit'] as const
export type PairOperation = (typeof pairOperations)[number]

/** Where the tasks of a scene are. */
export type Place = 'in a job' | 'outside a job' | 'outside a job, with nobody waiting'

/**
 * An owner with three slots, two of them taken: one task runs, one has a slot and waits for a worker. Also one task
 * waits for the running one, and two wait for a slot although one is free, as after a change of the owner's plan. These
 * three are missing in the place with nobody waiting, so that short paths are possible.
 */
export interface Scene {
  readonly caller: Caller
  readonly running: Fence
  readonly unclaimed: Fence
}

const hours = (n: number) => n * 3_600_000

/** Creates a scene for one run, with an owner that is used for nothing else. */
export async function makeScene(shop: Workshop, place: Place): Promise<Scene> {
  const { pool } = shop.database
  const caller = await shop.addOwner(2)
  const workerId = await shop.addWorker()
  const [runs, next, waits] = [shop.newTask(), shop.newTask(), shop.newTask('convert')]
  const sibling = { kind: 'sibling' as const, name: 'runs' }
  if (place === 'in a job') {
    const tasks = [
      { ...runs, name: 'runs' },
      { ...next, name: 'next' },
      { ...waits, name: 'waits', inputs: [sibling] },
    ]
    await shop.orchestrator.createJob(caller, { id: shop.ids.next(shop.clock.now()), tag: null, tasks })
  } else {
    await shop.orchestrator.createTask(caller, runs)
    await shop.orchestrator.createTask(caller, next)
    const inputs = [{ kind: 'task' as const, id: runs.id, path: 'input' }]
    if (place === 'outside a job') await shop.orchestrator.createTask(caller, { ...waits, inputs })
  }
  const isCrowded = place !== 'outside a job, with nobody waiting'
  for (let n = 0; n < 2 && isCrowded; n++) await shop.orchestrator.createTask(caller, shop.newTask())
  const running = { taskId: runs.id, attempt: 1, workerId }
  const claim = await shop.desk.claim(running)
  if (!claim) throw new Error('the running task was not claimed')
  await pool.query(`update owners set slots = 3 where id = $1`, [bytes(caller.ownerId)])
  return { caller, running, unclaimed: { taskId: next.id, attempt: 1, workerId } }
}

/** Runs one of the operations on a scene. Next to a claim, an end applies to the task that is being claimed. */
export function act(context: Context, scene: Scene, operation: PairOperation, other: PairOperation, shop: Workshop) {
  const { caller, running, unclaimed } = scene
  const target = other === 'claim' ? unclaimed.taskId : running.taskId
  const desk = createWorkerDesk(context)
  const orchestrator = createOrchestrator(context)
  const later = { now: () => new Date(shop.clock.now().getTime() + hours(4) + 60_000) }
  const acts: Record<PairOperation, () => Promise<unknown>> = {
    create: () => orchestrator.createTask(caller, shop.newTask('convert', [running.taskId])),
    claim: () => desk.claim(unclaimed),
    complete: () =>
      desk.complete(running, { files: [someFile], warnings: [] }, { ownerId: caller.ownerId, isLone: true }),
    fail: () => desk.fail(firstAttempt(running), failure('input_damaged')),
    cancel: () => orchestrator.cancelTask(caller, target),
    delete: () => orchestrator.deleteTask(caller, target),
    expire: () => createCaretaker({ ...context, clock: { ...context.clock, ...later } }).expireOverdue(),
    admit: () => createCaretaker(context).admitBacklogs(),
  }
  return acts[operation]()
}

/** Ends the open tasks of a scene, so that the next expiry does not find them. */
export async function clearScene(shop: Workshop, { caller }: Scene): Promise<void> {
  const owner = [bytes(caller.ownerId)]
  await shop.database.pool.query(
    `update tasks set status = 'failed', slot = false, worker_id = null where owner_id = $1 and status in ('created', 'processing')`,
    owner,
  )
  await shop.database.pool.query(`update owners set slots_used = 0, backlog = 0 where id = $1`, owner)
}

import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, type Database, type DatabaseConfig } from '@lathe/database'
import { heartbeatEveryMs, type IdMint, type ObjectId } from '@lathe/domain'
import type { WorkerDesk } from '@lathe/orchestrator'
import type { Logger } from '@lathe/runtime'
import type { Leases } from './leases.ts'

/** The pause after a failed heartbeat: two more must fit in before the worker is declared dead. */
const retryMs = 250
/** If a connection is lost silently, this leaves time for another one before the worker is declared dead. */
const answerMs = 2_000

/**
 * A connection for heartbeats alone: work that waits for locks must not delay them. It times out sooner than others, so
 * that a lost connection costs a single heartbeat.
 */
export function heartbeatDatabase(config: DatabaseConfig): Database {
  return createDatabase({ ...config, connections: 1, timeoutMs: answerMs })
}

export interface Heartbeat extends AsyncDisposable {
  /** The ID under which this worker claims; a new one after it was declared dead. */
  readonly workerId: ObjectId
}

interface HeartbeatParts {
  readonly desk: WorkerDesk
  readonly leases: Leases
  readonly ids: IdMint
  readonly log: Logger
  readonly worker: Omit<Parameters<WorkerDesk['register']>[0], 'id'>
}

/**
 * Reports to PostgreSQL that this worker is alive, and learns which tasks it no longer owns: this is how a cancel
 * arrives when Redis is unavailable. A worker that was declared dead stops all its tasks and registers again.
 */
export async function startHeartbeat({ desk, leases, ids, log, worker }: HeartbeatParts): Promise<Heartbeat> {
  const stopping = new AbortController()
  let workerId = ids.next()
  await desk.register({ id: workerId, ...worker })

  async function beat(): Promise<void> {
    const revoked = await desk.beat(workerId, { claimed: leases.claimed, held: leases.fences })
    for (const taskId of revoked ?? []) leases.stop(taskId)
    if (revoked) return
    log.warn({ workerId }, 'worker was declared dead, registering again')
    leases.stopAll()
    const next = ids.next()
    await desk.register({ id: next, ...worker })
    workerId = next
  }

  async function beatOn(): Promise<void> {
    for (let pauseMs = heartbeatEveryMs; ; ) {
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      pauseMs = heartbeatEveryMs
      await beat().catch((err) => {
        log.warn({ err }, 'heartbeat not stored')
        pauseMs = retryMs
      })
    }
  }

  const beating = beatOn()
  return {
    get workerId() {
      return workerId
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await beating
      await desk.leave(workerId).catch((err) => log.warn({ err }, 'worker not deregistered'))
    },
  }
}

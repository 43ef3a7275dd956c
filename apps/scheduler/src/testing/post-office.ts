import { createLinkMaker } from '@lathe/accounts'
import { bytes, type DeliveryRecord, listDeliveries, type WebhookRecord } from '@lathe/database'
import { storedEventTypes } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import type { Caller, NewTask } from '@lathe/orchestrator'
import { createWorkshop } from '@lathe/orchestrator/testing'
import { createOutbound, type Outbound } from '@lathe/outbound'
import { createKeyRing, createMetrics, createSealer, deriveKeys, silentLog } from '@lathe/runtime'
import { waitFor } from '@lathe/testing'
import {
  createWebhook,
  type DeliveryLimits,
  type DeliveryParts,
  defaultDeliveryLimits,
  ensureJobsWebhook,
  newJobsWebhook,
  pingWebhook,
  secretOf,
  startDispatcher,
} from '@lathe/webhooks'

const secrets: [string] = ['a secret for the post office, long enough']
const keys = createKeyRing({ links: deriveKeys(secrets, 'links'), uploads: deriveKeys(secrets, 'uploads') })

export interface OfficeOptions {
  readonly limits?: Partial<DeliveryLimits>
  readonly outbound?: Pick<Outbound, 'send'>
}

interface JobOptions {
  readonly count?: number
  readonly tag?: string
  readonly payload?: Record<string, unknown>
  /** Its webhook_url. */
  readonly url?: string
}

/** All parts of webhook delivery, on a real database, with a clock that the test moves and receivers on loopback. */
export async function createPostOffice() {
  const own = new AsyncDisposableStack()
  const shop = own.use(await createWorkshop({ slots: 1000 }))
  const door = own.use(createOutbound({ allow: ['127.0.0.1/32'] }))
  const { database, clock, ids } = shop
  const parts = { sealer: createSealer(deriveKeys(secrets, 'credentials')), ids, clock }
  const links = createLinkMaker({ publicUrl: 'https://lathe.test', keys })
  // PostgreSQL's timestamps must be in the past.
  clock.advance(60_000)
  // Tests move the clock by days, and only need partitions for deliveries.
  await database.pool.query(
    `create table webhook_deliveries_later partition of webhook_deliveries for values from ('\\x${secondsAhead(2)}') to (maxvalue)`,
  )

  const since = clock.now()

  /** Starts to deliver. */
  function open({ limits = {}, outbound = door }: OfficeOptions = {}): AsyncDisposable {
    const delivery: DeliveryParts = {
      ...parts,
      database,
      outbound,
      links: () => links.at(clock.now()),
      publicUrl: 'https://lathe.test',
      allowHttp: true,
      limits: { ...defaultDeliveryLimits, pollMs: 20, ...limits },
      log: silentLog,
      metrics: createMetrics(),
      chance: () => 0,
    }
    return startDispatcher(delivery)
  }

  async function addWebhook(
    { ownerId }: Caller,
    url: string,
    events: readonly (typeof storedEventTypes)[number][] = storedEventTypes,
  ): Promise<WebhookRecord & { secret: string }> {
    const request = { url, events, description: null, enabled: true }
    const webhook = await database.transaction((tx) => createWebhook(tx, parts, ownerId, request))
    return { ...webhook, secret: secretOf(parts, webhook) }
  }

  /** Uses the real time, whatever the test clock shows: there may be no partition for its time. */
  function newTask(operation: Operation, at = new Date()): NewTask {
    return { ...shop.newTask(operation), id: ids.next(at) }
  }

  async function deliveriesOf({ id: webhookId }: { id: string }): Promise<readonly DeliveryRecord[]> {
    const { docs } = await listDeliveries(database.pool, { webhookId, now: since, limit: 1000, offset: 0 })
    return docs
  }

  return {
    shop,
    parts,
    database,
    clock,
    open,
    addWebhook,
    deliveriesOf,
    jobsWebhook: ({ ownerId }: Caller) => ensureJobsWebhook(database, parts, ownerId),
    /** Creates a task, which triggers an event. */
    async happen(caller: Caller): Promise<string> {
      const task = newTask('import/url')
      await shop.orchestrator.createTask(caller, task)
      return task.id
    },
    newTask,
    /** Creates a job of uploads, which triggers events of the job and of each task. */
    async newJob(
      caller: Caller,
      { count = 1, ...more }: JobOptions = {},
    ): Promise<{ jobId: string; taskIds: string[] }> {
      const at = new Date()
      const jobId = ids.next(at)
      const tasks = Array.from({ length: count }, (_, n) => ({ ...newTask('import/upload', at), name: `form-${n}` }))
      const webhook = more.url && {
        webhook: { sealedUrl: parts.sealer.seal(more.url, jobId), ofAllJobs: newJobsWebhook(parts, caller.ownerId) },
      }
      const made = tasks.map((task) => ({ ...task, ...(more.payload && { payload: more.payload }) }))
      await shop.orchestrator.createJob(caller, { id: jobId, tag: more.tag ?? null, tasks: made, ...webhook })
      return { jobId, taskIds: tasks.map(({ id }) => id) }
    },
    ping: ({ id, ownerId }: WebhookRecord) => database.transaction((tx) => pingWebhook(tx, parts, { ownerId, id })),
    /** Waits until `enough` accepts the deliveries of the webhook, and returns all of them. */
    async until(
      webhook: { id: string },
      enough: (deliveries: readonly DeliveryRecord[]) => boolean,
    ): Promise<readonly DeliveryRecord[]> {
      let last: readonly DeliveryRecord[] = []
      const isEnough = async () => {
        last = await deliveriesOf(webhook)
        return enough(last)
      }
      await waitFor(isEnough, { withinMs: 30_000, what: 'the deliveries' })
      return last
    },
    async webhookState({ id }: { id: string }) {
      const { rows } = await database.pool.query(
        'select enabled, disabled_reason as "disabledReason", exhausted from webhooks where id = $1',
        [bytes(id)],
      )
      return rows[0]
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

/** The second some days from now, in hex, as at the start of ids. */
function secondsAhead(days: number): string {
  const day = 86_400_000
  return (((Math.floor(Date.now() / day) + days) * day) / 1000).toString(16)
}

export type PostOffice = Awaited<ReturnType<typeof createPostOffice>>

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkshop } from '@lathe/orchestrator/testing'
import { createMetrics, createSealer, deriveKeys } from '@lathe/runtime'
import { createStore, type ObjectStore } from '@lathe/storage'
import { createDuties, type Duty } from '../duties.ts'

/** What tests of duties need: a database, a store on disk, and the duties on that store or one of the test's own. */
export async function createDutyBench() {
  await using stack = new AsyncDisposableStack()
  const shop = stack.use(await createWorkshop())
  const dir = stack.adopt(await mkdtemp(join(tmpdir(), 'lathe-duties-')), (path) => rm(path, { recursive: true }))
  const store = stack.use(await createStore({ kind: 'disk', dir }))
  const { caretaker, database } = shop
  const metrics = createMetrics()
  const sealer = createSealer(deriveKeys(['a secret for the duties, long enough for one'], 'credentials'))
  const clock = { isTrusted: true }
  const limits = { uploadTimeoutMs: 1, unreferencedMs: 60_000, anonymousIdleS: 48 * 3600, auditMs: 10 * 86_400_000 }
  const guards = { isSteady: async () => true, isClockTrusted: async () => clock.isTrusted }
  const shared = { caretaker, database, sealer, clock: shop.clock, metrics, ...limits, ...guards }
  const all = stack.move()
  return {
    shop,
    store,
    metrics,
    /** Whether the duties may trust the clock of this process. */
    clock,
    dutiesOn: (own: ObjectStore): readonly Duty[] => createDuties({ ...shared, store: own }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppProcess, openPlanBench, type PlanBench, type Stack, startStack, waitFor } from '@lathe/testing'
import { type Client, createClient } from '../../client.ts'
import type { Bait } from './attack.ts'
import { benignInputs, runBenign } from './benign.ts'
import { type Canaries, layCanaries } from './canaries.ts'
import { type Footprint, footprintOf } from './residue.ts'
import { openTripwire, type Tripwire } from './tripwire.ts'

/** The whole service with canaries and tripwires around it. */
export interface Range extends AsyncDisposable {
  readonly stack: Stack
  readonly worker: AppProcess
  readonly api: Client
  readonly ownerId: string
  readonly canaries: Canaries
  readonly tripwire: Tripwire
  readonly bait: Bait
  /** Tools of the engine root for inspecting outputs. */
  readonly bench: PlanBench
  /** The worker after a few files and before any attack. */
  readonly calm: Footprint
  /** Every set of programs seen in an idle warm instance. */
  readonly shapes: ReadonlySet<string>
  footprint(): Footprint
  /** Runs ten ordinary conversions, one after another on the same worker; returns the failures. */
  runBenign(): Promise<readonly string[]>
}

// Only engines of this stack use it, so that their leftovers can be told apart from others.
const sandboxUid = 64_611

/** Starts everything, lets each engine run once, and records the idle state of the worker. */
export async function openRange(): Promise<Range> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.adopt(await mkdtemp(join(tmpdir(), 'lathe-range-')), (made) => rm(made, { recursive: true }))
  const canaries = parts.use(await layCanaries())
  const tripwire = parts.use(await openTripwire())
  const worker = { ...canaries.env, SANDBOX_UID: String(sandboxUid), LOG_LEVEL: 'debug' }
  const stack = parts.use(
    await startStack({ appEnv: { worker }, env: { LATHE_MAX_FILE_BYTES: String(64 * 1024 ** 2) } }),
  )
  const bench = parts.use(await openPlanBench())
  const { key, ownerId } = await stack.createKey({ slots: 8 })
  const api = createClient({ url: stack.url, key, recordFile: join(folder, 'seen') })
  const [first] = stack.apps('worker')
  if (!first) throw new Error('the stack has no worker')
  const inputs = await benignInputs(api, bench)
  const footprint = () => footprintOf(stack, first, sandboxUid)
  const shapes = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const failed = await runBenign(api, inputs)
    if (failed.length > 0) throw new Error(`ordinary conversions fail: ${failed.join('; ')}\n${stack.tails()}`)
    await waitFor(() => isCalm(footprint()), { withinMs: 20_000, everyMs: 200, what: 'a calm worker' })
    for (const shape of footprint().instances) shapes.add(shape)
  }
  const all = parts.move()
  return {
    stack,
    worker: first,
    api,
    ownerId,
    canaries,
    tripwire,
    bait: toBait(canaries, tripwire),
    bench,
    calm: footprint(),
    shapes,
    footprint,
    runBenign: () => runBenign(api, inputs),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

function isCalm({ strangers, jobs }: Footprint): boolean {
  return strangers.length === 0 && jobs.length === 0
}

function toBait({ file, picture, folder }: Canaries, { port }: Tripwire): Bait {
  return { file, picture, folder, port, url: `http://127.0.0.1:${port}`, variable: 'CANARY_ENV' }
}

import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RunnerName } from '@lathe/engines'
import type { Sandbox } from '../sandbox.ts'
import { createWarmPool, type ServedBy, type WarmPool, type WarmPoolOptions } from '../warm-pool.ts'
import { type EngineName, enginesNotIn } from './engines-in-root.ts'
import { poolSizes } from './pool-sizes.ts'

/** The warm pools of all runners, by name. */
export type Runners = Readonly<Record<RunnerName, WarmPool>> &
  AsyncDisposable & {
    /** The engines that cannot run on this host, runners and others: a step of one throws RunnerUnavailable. */
    readonly lacking: readonly EngineName[]
  }

/** This host cannot run the engine; another may. */
export class RunnerUnavailable extends Error {
  override readonly name = 'RunnerUnavailable'
  readonly runner: EngineName

  constructor(runner: EngineName) {
    super(`the ${runner} engine cannot run on this host`)
    this.runner = runner
  }
}

/** Told for every call of a runner what served it. */
export type ServeReport = (runner: RunnerName, servedBy: ServedBy) => void

export interface RunnersConfig {
  /** Engines running at once. */
  readonly engineTasks: number
  /** Files after which an instance is replaced. */
  readonly warmCalls: number
  readonly onServe?: ServeReport
}

const MiB = 1024 ** 2
const scriptOf = (name: RunnerName) => fileURLToPath(import.meta.resolve(`@lathe/engines/${name}-runner`))

// Measured while they wait: 70 MiB of Node with sharp, 190 MiB of LibreOffice, and as much again after large files.
const keepBytes: Readonly<Record<RunnerName, number>> = { vips: 256 * MiB, office: 600 * MiB, browser: 256 * MiB }

const kinds: Readonly<Record<RunnerName, Pick<WarmPoolOptions, 'prepare' | 'start'>>> = {
  vips: {},
  office: { prepare: true, start: { timeMs: 60_000, memoryBytes: 1024 * MiB } },
  browser: { start: { timeMs: 60_000, memoryBytes: 1024 * MiB } },
}

const names = ['vips', 'office', 'browser'] as const
// Without /proc LibreOffice refuses to start, and Chromium traps.
const needProc: readonly RunnerName[] = ['office', 'browser']

const browserRestMs = 5 * 60_000

/** Opens a warm pool for every runner this host can run; throws SandboxUnavailable if one does not start. */
export async function openRunners(sandbox: Sandbox, config: RunnersConfig): Promise<Runners> {
  await using stack = new AsyncDisposableStack()
  // LibreOffice takes its time, so all start at once; one that has started is closed even if another has not.
  const withoutProc = sandbox.report.privateProc ? [] : needProc
  const lacking = [...new Set<EngineName>([...withoutProc, ...(await enginesNotIn(sandbox.report.engineRoot))])]
  const opening = names.map(async (name) =>
    lacking.includes(name) ? unavailable(name) : openRunner(sandbox, name, config),
  )
  for (const opened of await Promise.allSettled(opening)) if (opened.status === 'fulfilled') stack.use(opened.value)
  const [vips, office, browser] = (await Promise.all(opening)) as [WarmPool, WarmPool, WarmPool]
  const all = stack.move()
  return { vips, office, browser, lacking, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

function unavailable(name: RunnerName): WarmPool {
  return {
    call: () => Promise.reject(new RunnerUnavailable(name)),
    states: () => ({ starting: 0, spare: 0, idle: 0, busy: 0, ending: 0 }),
    async [Symbol.asyncDispose]() {},
  }
}

/** Opens the warm pool of one runner, as large as it would be beside the others. */
export function openRunner(
  sandbox: Sandbox,
  runner: RunnerName,
  { engineTasks, warmCalls, onServe }: RunnersConfig,
): Promise<WarmPool> {
  const sizes = poolSizes({ engineTasks, memoryBytes: memoryHere(), keepBytes })
  const report = onServe && { onServe: (servedBy: ServedBy) => onServe(runner, servedBy) }
  const common = { runner, script: scriptOf(runner), ...kinds[runner], ...report }
  // What a page did to a browser dies with it: one that waits has seen no page, and it is ended after its first.
  if (runner === 'browser') {
    const spares = sizes.browser
    const size = engineTasks + spares
    return createWarmPool(sandbox, { ...common, size, spares, spareMs: browserRestMs, maxCalls: 1 })
  }
  return createWarmPool(sandbox, {
    ...common,
    size: sizes[runner],
    spares: 1,
    maxCalls: warmCalls,
    keepBytes: keepBytes[runner],
  })
}

// In a container the machine's memory is not all ours.
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

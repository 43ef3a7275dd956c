import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { EngineFamily } from '@lathe/domain'
import { type Runner, type Tool, tools } from '@lathe/engines'
import type { CallEnd, CallOptions } from '../instance.ts'
import type { JsonObject } from '../runner-protocol.ts'
import type { Sandbox } from '../sandbox.ts'
import { createWarmPool, type ServedBy, type WarmPool } from '../warm-pool.ts'
import { toolsNotIn } from './engines-in-root.ts'
import { poolSizes } from './pool-sizes.ts'

/** Calls the runners of tools. */
export interface RunnerCalls {
  /** Runs one request in an instance that belongs to this owner alone. The instance sees only the folder's files. */
  call(runner: string, ownerId: string, request: JsonObject, options: CallOptions): Promise<CallEnd>
  /** The names of the tools that cannot run on this host. A step that uses one throws RunnerUnavailable. */
  readonly lacking: readonly string[]
}

/** The warm pools of all runners. */
export type Runners = RunnerCalls & AsyncDisposable

/** This host cannot run the tool. Another host may. */
export class RunnerUnavailable extends Error {
  override readonly name = 'RunnerUnavailable'
  /** The name of the tool. */
  readonly runner: string

  constructor(runner: string) {
    super(`the ${runner} engine cannot run on this host`)
    this.runner = runner
  }
}

/** Called for every call of a runner with how it was served. */
export type ServeReport = (runner: string, servedBy: ServedBy) => void

export interface RunnersConfig {
  /** The families whose runners are started ahead; the others start with their first call. Default: all. */
  readonly families?: readonly EngineFamily[]
  /** Engines that run at once. */
  readonly engineTasks: number
  /** Files after which an instance is replaced. */
  readonly warmCalls: number
  readonly onServe?: ServeReport
}

/** A tool that has a runner. */
type CalledTool = Tool & { readonly runner: Runner }

const isCalled = (tool: Tool): tool is CalledTool => tool.runner !== undefined
const called = tools.filter(isCalled)

const startMs = 60_000
const restMs = 5 * 60_000

/**
 * Opens a warm pool for every runner that this host can run. Throws SandboxUnavailable if one of the served families
 * does not start.
 */
export async function openRunners(sandbox: Sandbox, config: RunnersConfig): Promise<Runners> {
  await using stack = new AsyncDisposableStack()
  // Some start slowly, so all start at once. One that has started is closed even if another has failed.
  const withoutProc = sandbox.report.privateProc ? [] : tools.filter(({ needsProc }) => needsProc)
  const lacking = [...new Set([...withoutProc, ...(await toolsNotIn(sandbox.report.engineRoot, tools))])]
  const here = called.filter((tool) => !lacking.includes(tool))
  const pools = new Map<string, Promise<WarmPool>>()
  const open = (name: string) => {
    const opening = openRunner(sandbox, name, config)
    pools.set(name, opening)
    return opening
  }
  stack.defer(async () => {
    const opened = await Promise.allSettled(pools.values())
    await Promise.all(opened.map(async (one) => one.status === 'fulfilled' && one.value[Symbol.asyncDispose]()))
  })
  await Promise.all(here.filter(({ family }) => isServed(family, config.families)).map(({ name }) => open(name)))
  const all = stack.move()
  return {
    async call(runner, ...call) {
      if (!here.some(({ name }) => name === runner)) throw new RunnerUnavailable(runner)
      const pool = await (pools.get(runner) ?? open(runner)).catch((error: unknown) => {
        pools.delete(runner)
        throw error
      })
      return await pool.call(...call)
    },
    lacking: lacking.map(({ name }) => name),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

// A route may call any of them.
function isServed(family: EngineFamily, served: RunnersConfig['families']): boolean {
  return served === undefined || served.includes(family) || served.includes('route')
}

/** Opens the warm pool of one runner, with the size it has next to the others. */
export function openRunner(
  sandbox: Sandbox,
  name: string,
  { engineTasks, warmCalls, onServe }: RunnersConfig,
): Promise<WarmPool> {
  const tool = called.find((one) => one.name === name)
  if (!tool) throw new Error(`there is no runner ${name}`)
  const { script, serves, keepBytes, prepare, startBytes } = tool.runner
  const runners = Object.fromEntries(called.map(({ name, runner }) => [name, runner]))
  const size = poolSizes({ engineTasks, memoryBytes: memoryHere(), runners })[name] ?? 0
  const common = {
    runner: name,
    script: fileURLToPath(script),
    ...(prepare && { prepare }),
    ...(startBytes && { start: { timeMs: startMs, memoryBytes: startBytes } }),
    ...(onServe && { onServe: (servedBy: ServedBy) => onServe(name, servedBy) }),
  }
  // A waiting instance has served no owner, and it is ended after its first call.
  if (serves === 'one call') {
    return createWarmPool(sandbox, {
      ...common,
      size: engineTasks + size,
      spares: size,
      spareMs: restMs,
      maxCalls: 1,
    })
  }
  return createWarmPool(sandbox, { ...common, size, spares: 1, maxCalls: warmCalls, keepBytes })
}

// In a container only part of the machine's memory is available.
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

import { fileURLToPath } from 'node:url'
import type { RunnerName } from '@lathe/engines'
import type { Sandbox } from '../sandbox.ts'
import { createWarmPool, type WarmPool } from '../warm-pool.ts'

/** The warm pools of all runners, by name. */
export type Runners = Readonly<Record<RunnerName, WarmPool>> & AsyncDisposable

export interface RunnersConfig {
  /** Engines running at once. */
  readonly engineTasks: number
  /** Files after which an instance is replaced. */
  readonly warmCalls: number
}

const vipsScript = fileURLToPath(import.meta.resolve('@lathe/engines/vips-runner'))

/** Opens a warm pool for every runner; throws SandboxUnavailable if one does not start. */
export async function openRunners(
  sandbox: Sandbox,
  { engineTasks, warmCalls: maxCalls }: RunnersConfig,
): Promise<Runners> {
  await using stack = new AsyncDisposableStack()
  // One more than can be busy, so that a spare is there for whoever comes next.
  const size = engineTasks + 1
  const vips = stack.use(
    await createWarmPool(sandbox, { runner: 'vips', script: vipsScript, size, spares: 1, maxCalls }),
  )
  const all = stack.move()
  return { vips, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AppProcess,
  descendantsOf,
  engineHostOf,
  listProcesses,
  type ProcessInfo,
  type Stack,
  waitFor,
} from '@lathe/testing'

/**
 * The processes of the sandbox in which a worker's engine is running now; none if it is idle. A job's folder is moved
 * into the folder of its sandbox during the work, which distinguishes the busy sandbox from waiting ones.
 */
export function findBusyEngine(stack: Stack, worker: AppProcess): readonly ProcessInfo[] {
  const { pid } = engineHostOf(worker.pid) ?? worker
  const homes = list(stack.scratchDir).filter((name) => name.split('-')[2] === String(pid))
  const instances = homes.flatMap((home) => list(join(stack.scratchDir, home)).map((name) => join(home, name)))
  const busy = instances.filter((path) => list(join(stack.scratchDir, path)).some((name) => /^(\d+|job)$/.test(name)))
  const below = descendantsOf(worker.pid)
  const roots = below.filter(({ command }) => busy.some((path) => command.includes(`${path} `)))
  const all = roots.flatMap((root) => [root, ...descendantsOf(root.pid)])
  return [...new Map(all.map((info) => [info.pid, info])).values()]
}

/** Waits until a worker's engine is running and returns its processes. */
export function untilEngineRuns(stack: Stack, worker: AppProcess): Promise<readonly ProcessInfo[]> {
  const runs = () => {
    const found = findBusyEngine(stack, worker)
    return found.length > 0 ? found : undefined
  }
  return waitFor(runs, { withinMs: 90_000, everyMs: 50, what: `an engine of ${worker.name} at work` })
}

/** Which of these processes are still running. */
export function stillAlive(processes: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const alive = new Map(listProcesses().map((info) => [info.pid, info.command]))
  return processes.filter(({ pid, command }) => alive.get(pid) === command)
}

/** Every process on this machine that refers to the stack's scratch folder. */
export function findSandboxes(stack: Stack): readonly ProcessInfo[] {
  return listProcesses().filter(({ command }) => command.includes(stack.scratchDir))
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

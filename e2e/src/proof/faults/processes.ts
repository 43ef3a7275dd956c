import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess } from '@lathe/testing'
import type { World } from '../world.ts'
import type { Fault, Inflict } from './fault.ts'

/** Kills a process at once and restarts it after a while. */
export const kill: Inflict = async (world, fault) => {
  const target = await find(world, fault)
  ended.add(target)
  await target.stop('SIGKILL')
  await pause(fault.forMs)
  revive(target)
  return target.name
}

/** Pauses a process at any point and resumes it. */
export const freeze: Inflict = async (world, fault) => {
  const target = await find(world, fault)
  target.kill('SIGSTOP')
  await pause(fault.forMs)
  target.kill('SIGCONT')
  return target.name
}

/** Fills the disk of a worker. */
export const fillDisk: Inflict = async (world, fault) => {
  const target = await find(world, fault)
  const disk = world.disks.get(target)
  await disk?.fill()
  await pause(fault.forMs)
  await disk?.empty()
  return target.name
}

const hourS = 3_600

/** Replaces a scheduler for a while with one whose clock is hours ahead. */
export const setClockAhead: Inflict = async (world, fault) => {
  const target = await find(world, fault)
  ended.add(target)
  await target.stop('SIGKILL')
  const clockOffset = Math.round((1 + fault.dice * 29) * hourS)
  // Another fault may prevent its start.
  const ahead = await world.stack.addScheduler({ clockOffset }).catch(() => undefined)
  await pause(fault.forMs)
  if (ahead) ended.add(ahead)
  await ahead?.stop('SIGKILL')
  revive(target)
  return `${target.name} by ${(clockOffset / hourS).toFixed(1)} h`
}

const reviving = new WeakMap<AppProcess, Promise<void>>()
const ended = new WeakSet<AppProcess>()

/** Whether a process is down because a fault ended it; otherwise it ended by itself. */
export function wasEnded(process: AppProcess): boolean {
  return ended.has(process)
}

/**
 * Restarts a process until it works: at first its services may still be down. Like a supervisor it runs in the
 * background; only the next fault for this process waits for it.
 */
export function revive(target: AppProcess): void {
  ended.add(target)
  const restarted = restart(target)
  // The next fault for this process, or the end of the round, reports why it could not start.
  restarted.catch(() => {})
  reviving.set(target, restarted)
}

/** Waits until every ended process is running again. */
export async function untilRevived({ stack }: World): Promise<void> {
  await Promise.all(stack.processes.map((process) => reviving.get(process)))
}

const reviveMs = 180_000

async function restart(target: AppProcess): Promise<void> {
  const limit = Date.now() + reviveMs
  for (;;) {
    const started = await target.restart().then(
      () => true,
      (error) => {
        if (Date.now() > limit) throw error
        return false
      },
    )
    if (started) return void ended.delete(target)
    await pause(500)
  }
}

async function find({ stack }: World, { app, index }: Fault): Promise<AppProcess> {
  const target = stack.apps(app)[index]
  if (!target) throw new Error(`there is no ${app} ${index}`)
  await reviving.get(target)
  return target
}

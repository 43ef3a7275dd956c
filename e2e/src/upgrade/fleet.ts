import type { AppName, AppProcess, Stack } from '@lathe/testing'
import type { Balancer } from './balancer.ts'

/** Which sources a process runs. */
export type Version = 'old' | 'new'

/** All processes of a service, each of one of two releases. */
export interface Fleet {
  /**
   * Replaces all processes of some apps, in that order, one at a time: the new one is ready before the old one is
   * stopped.
   */
  roll(apps: readonly AppName[], to: Version): Promise<void>
  /** Processes that did not end cleanly when they were stopped. */
  readonly faults: readonly string[]
}

export interface FleetOptions {
  readonly stack: Stack
  readonly balancer: Balancer
  /** The folder with the sources of the old release. */
  readonly oldFolder: string
  /** The versions at the start. */
  readonly versions: Readonly<Record<AppName, Version>>
  readonly counts: Readonly<Record<AppName, number>>
}

interface Member {
  readonly app: AppName
  process: AppProcess
}

const apps = ['api', 'worker', 'scheduler'] as const
const stopMs = 120_000

/** Starts a service of old and new processes behind a balancer. */
export async function startFleet({ stack, balancer, oldFolder, versions, counts }: FleetOptions): Promise<Fleet> {
  const faults: string[] = []

  async function start(app: AppName, version: Version): Promise<AppProcess> {
    const given = { env: { LATHE_PUBLIC_URL: balancer.url }, ...(version === 'old' && { checkout: oldFolder }) }
    if (app === 'worker') return stack.addWorker(given)
    if (app === 'scheduler') return stack.addScheduler(given)
    const api = await stack.addApi(given)
    await balancer.add(api.url)
    return api
  }

  async function stop({ app, name, url, stop: end, tail }: AppProcess): Promise<void> {
    const code = await end('SIGTERM', stopMs)
    if (app === 'api') balancer.remove(url)
    if (code !== 0) faults.push(`${name} ended with ${code}\n${tail(10)}`)
  }

  const wanted = apps.flatMap((app) => Array.from({ length: counts[app] }, () => app))
  const members = await Promise.all(
    wanted.map(async (app): Promise<Member> => ({ app, process: await start(app, versions[app]) })),
  )
  return {
    async roll(chosen, to) {
      for (const member of chosen.flatMap((wished) => members.filter(({ app }) => app === wished))) {
        const last = member.process
        member.process = await start(member.app, to)
        await stop(last)
      }
    },
    faults,
  }
}

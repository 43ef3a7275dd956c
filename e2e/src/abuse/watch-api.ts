import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess } from '@lathe/testing'
import type { Trial } from './judge.ts'

type Seen = Pick<Trial, 'readiness' | 'memory'>

const everyMs = 500
const MB = 1_000_000

/** Polls an api's readiness and memory until it is stopped. */
export function watchApi(api: AppProcess): { stop(): Promise<Seen> } {
  const over = new AbortController()
  const readiness: string[] = []
  const beforeMb = api.rss() / MB
  let mostMb = beforeMb
  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      readiness.push(await askReadiness(api.url))
      mostMb = Math.max(mostMb, api.rss() / MB)
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const looking = look()
  return {
    async stop() {
      over.abort()
      await looking
      return { readiness, memory: { beforeMb, mostMb, lastMb: api.rss() / MB } }
    },
  }
}

// A plain request, because the SDK has no call for readiness.
async function askReadiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })
    return ((await answer.json()) as { status: string }).status
  } catch {
    return 'down'
  }
}

import { setTimeout as pause } from 'node:timers/promises'

export interface WaitOptions {
  readonly withinMs: number
  readonly everyMs?: number
  /** Named in the error when the time runs out. */
  readonly what?: string
}

/** Repeats a check until its result is truthy and returns it; throws on timeout. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { withinMs, everyMs = 20, what = 'the condition' }: WaitOptions,
): Promise<NonNullable<T>> {
  const limit = performance.now() + withinMs
  for (;;) {
    const answer = await condition()
    if (answer) return answer
    if (performance.now() >= limit) throw new Error(`${what} did not come true within ${withinMs} ms`)
    await pause(everyMs)
  }
}

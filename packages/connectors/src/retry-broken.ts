import type { Breaks } from './breaks.ts'

/** Repeats a request that breaks off, as long as the transfer may resume at the bytes reached so far. */
export async function retryBroken<T>(breaks: Breaks, reached: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      await breaks.survive(error, reached)
    }
  }
}

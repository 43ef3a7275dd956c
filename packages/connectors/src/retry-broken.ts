import type { Breaks } from './breaks.ts'

/** Asks again, with what was reached so far, as long as the request breaks off and the transfer may go on. */
export async function retryBroken<T>(breaks: Breaks, reached: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      await breaks.survive(error, reached)
    }
  }
}

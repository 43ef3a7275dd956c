import { setImmediate as turn } from 'node:timers/promises'
import type { Page } from '@lathe/contract'

/**
 * A page as JSON text, in pieces: each document is rendered while the page is sent, and other requests run in between.
 * A page of 200 jobs with 100 tasks each is 18 MB; rendering it at once blocked the process for seconds.
 */
export async function* pageInPieces<T>(
  { docs: _, ...envelope }: Page<unknown>,
  docs: AsyncIterable<T>,
): AsyncGenerator<string> {
  let separator = '{"docs":['
  for await (const doc of docs) {
    yield `${separator}${JSON.stringify(doc)}`
    separator = ','
    await turn()
  }
  yield `${separator === ',' ? '' : separator}],${JSON.stringify(envelope).slice(1)}`
}

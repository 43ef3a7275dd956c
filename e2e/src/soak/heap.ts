import { once } from 'node:events'
import type { AppProcess } from '@lathe/testing'

/** What a process is told so that its heap can be looked at from outside, on a port of its own choice. */
export const heapEnv = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** The heap of another process of ours. */
export interface Heap extends Disposable {
  /** Collects what nobody needs, and gives the bytes that are needed, buffers included. */
  collect(): Promise<number>
}

/** Opens the heap of a process that was started with `heapEnv`, over the protocol of Node's inspector. */
export async function openHeap(process: Pick<AppProcess, 'log'>): Promise<Heap> {
  const address = /Debugger listening on (ws:\/\/\S+)/.exec(process.log())?.[1]
  if (!address) throw new Error('the process does not listen to an inspector')
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0

  async function ask<T>(method: string): Promise<T> {
    const id = ++last
    socket.send(JSON.stringify({ id, method }))
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }]
      const answer = JSON.parse(data)
      if (answer.id === id) return answer.result
    }
  }

  return {
    async collect() {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize = 0 } = await ask<{ usedSize: number; backingStorageSize?: number }>(
        'Runtime.getHeapUsage',
      )
      return usedSize + backingStorageSize
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

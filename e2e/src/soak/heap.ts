import { once } from 'node:events'
import type { AppProcess } from '@lathe/testing'

/** Lets a process's heap be inspected from outside, on a port it chooses. */
export const heapEnv = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** The heap of another process of the service. */
export interface Heap extends Disposable {
  /** Collects garbage and returns the bytes in use, including buffers. */
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

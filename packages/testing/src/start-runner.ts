import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A runner's response with the progress it reported. */
export interface RunnerAnswer {
  readonly ok: boolean
  readonly code?: string
  readonly text?: string
  readonly detail?: string
  readonly result?: { readonly warnings: readonly string[] }
  readonly progress: readonly number[]
}

/** A runner as a plain process, outside any sandbox. */
export interface TestRunner extends AsyncDisposable {
  readonly pid: number
  call(dir: string, request: unknown): Promise<RunnerAnswer>
}

/** Starts a runner script and uses its protocol: one request at a time, like the sandbox. */
export async function startRunner(script: string): Promise<TestRunner> {
  const child = spawn(process.execPath, [script], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the runner ended')
    return JSON.parse(value)
  }
  if (!(await read()).ready) throw new Error('the runner did not say that it is ready')
  let id = 0
  return {
    pid: child.pid ?? -1,
    async call(dir, request) {
      child.stdin.write(`${JSON.stringify({ id: ++id, dir, request })}\n`)
      const progress: number[] = []
      for (;;) {
        const message = await read()
        if (message.id !== id) throw new Error(`answer to ${message.id} while waiting for ${id}`)
        if ('ok' in message) return { ...message, progress }
        progress.push(message.progress)
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined
      child.stdin.end()
      await ended
    },
  }
}

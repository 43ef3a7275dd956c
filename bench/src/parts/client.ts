import { Lathe, type Task } from '@lathe/sdk'

/** Uses the service as programs do: through the SDK, but without retries, which would hide failures. */
export interface Client {
  /** Uploads a file and returns the id of its task. */
  upload(path: string): Promise<string>
  /** Starts a conversion to webp with default options; with `waitS`, the response comes when it has ended. */
  convert(input: string, waitS?: number): Promise<Task>
  /** Starts any conversion; with `waitS`, the response comes when it has ended. */
  convertTo(input: string, to: string, options: Readonly<Record<string, unknown>>, waitS?: number): Promise<Task>
  task(id: string): Promise<Task>
  /** The newest conversions. */
  conversions(limit: number): Promise<readonly Task[]>
}

// Longer than any response may wait.
const timeoutMs = 300_000

export function createClient(url: string, key: string): Client {
  const settings = { baseUrl: url, key, retries: 0, timeoutMs }
  const lathe = new Lathe(settings)

  async function convertTo(input: string, to: string, options: Readonly<Record<string, unknown>>, waitS?: number) {
    const sender = waitS === undefined ? lathe : new Lathe({ ...settings, fetch: fetchAtEnd(waitS) })
    return (await sender.tasks.create('convert', { input, output_format: to, options } as never)).now
  }

  return {
    async upload(path) {
      const task = await lathe.tasks.create('import/upload', {})
      await task.upload(path)
      return task.id
    },
    convert: (input, waitS) => convertTo(input, 'webp', {}, waitS),
    convertTo,
    task: async (id) => (await lathe.tasks.get(id)).now,
    async conversions(limit) {
      const tasks: Task[] = []
      for await (const task of lathe.tasks.list({ operation: 'convert' })) {
        tasks.push(task)
        if (tasks.length === limit) break
      }
      return tasks
    },
  }
}

/** The SDK waits for the end with further requests. A bench measures one request, whose response waits. */
function fetchAtEnd(waitS: number): typeof fetch {
  return (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('prefer', `wait=${waitS}`)
    return fetch(target, { ...init, headers })
  }
}

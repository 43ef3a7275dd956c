import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** The parts of a task that a bench needs. */
export interface TaskView {
  readonly id: string
  readonly status: string
  readonly createdAt: string
  readonly endedAt: string | null
  readonly result?: {
    readonly form?: { readonly url: string; readonly parameters: Readonly<Record<string, string>> }
    readonly msg?: string
  }
}

/** Calls the service over HTTP as users do. */
export interface Client {
  /** Uploads a file and returns the id of its task. */
  upload(path: string): Promise<string>
  /** Starts a conversion to webp with default options; with `waitS`, the response comes when it has ended. */
  convert(input: string, waitS?: number): Promise<TaskView>
  /** Starts any conversion; with `waitS`, the response comes when it has ended. */
  convertTo(input: string, to: string, options: Readonly<Record<string, unknown>>, waitS?: number): Promise<TaskView>
  /** The newest conversions. */
  conversions(limit: number): Promise<readonly TaskView[]>
}

export function createClient(url: string, key: string): Client {
  const authorization = `Bearer ${key}`

  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await fetch(`${url}/v1/process/${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  return {
    async upload(path) {
      const task = await call<TaskView>('POST', 'import/upload')
      if (!task.result?.form) throw new Error('the upload task has no form')
      const form = new FormData()
      for (const [name, value] of Object.entries(task.result.form.parameters)) form.append(name, value)
      form.append('file', new Blob([await readFile(path)]), basename(path))
      const response = await fetch(task.result.form.url, { method: 'POST', body: form })
      if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
      return task.id
    },
    convert: (input, waitS) =>
      call('POST', 'convert', { input, output_format: 'webp' }, waitS ? { prefer: `wait=${waitS}` } : {}),
    convertTo: (input, to, options, waitS) =>
      call('POST', 'convert', { input, output_format: to, options }, waitS ? { prefer: `wait=${waitS}` } : {}),
    async conversions(limit) {
      const page = await call<{ docs: readonly TaskView[] }>('GET', `tasks?operation=convert&per_page=${limit}`)
      return page.docs
    },
  }
}

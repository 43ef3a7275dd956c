import { Lathe, type Task, type UploadForm } from '@lathe/sdk'
import type { Phase } from './judge.ts'

/** A tenant who uploads and downloads files and measures the times. */
export interface NormalTenant {
  /** Uploads and downloads a file; adds both times to the phase. */
  round(phase: Phase): Promise<void>
  send(form: UploadForm): Promise<Task>
  readonly failures: string[]
}

export interface TenantParts {
  readonly url: string
  readonly key: string
  readonly fileBytes: number
}

/**
 * Uses the API like a backend: upload forms in jobs, a few transfers at once. Transfers are plain requests: the SDK would
 * resume one that fails, and would need another request, which counts toward the rate limit, for the link of an upload.
 */
export function createNormalTenant({ url, key, fileBytes }: TenantParts): NormalTenant {
  const failures: string[] = []
  const file = Buffer.alloc(fileBytes, 'normal tenant ')
  let forms: UploadForm[] = []

  async function nextForm(): Promise<UploadForm> {
    if (forms.length === 0) forms = await createForms(url, key, 50)
    const form = forms.pop()
    if (!form) throw new Error('there are no forms')
    return form
  }

  async function send({ url: target, parameters }: UploadForm): Promise<Task> {
    const body = new FormData()
    for (const [name, value] of Object.entries(parameters)) body.append(name, value)
    body.append('file', new Blob([file]), 'a.bin')
    const answer = await fetch(target, { method: 'POST', body, signal: AbortSignal.timeout(30_000) })
    if (answer.status !== 200) throw new Error(`an upload was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Task
  }

  async function fetchBack({ result }: Task): Promise<void> {
    const answer = await fetch(result.url ?? '', { signal: AbortSignal.timeout(30_000) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(`a download was answered ${answer.status}: ${bytes}`)
    if (!bytes.equals(file)) throw new Error('a download brought other bytes')
  }

  return {
    failures,
    send,
    async round({ uploads, downloads }) {
      try {
        const form = await nextForm()
        const task = await timed(uploads, () => send(form))
        await timed(downloads, () => fetchBack(task))
      } catch (error) {
        failures.push(error instanceof Error ? error.message.slice(0, 300) : String(error))
      }
    },
  }
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const value = await work()
  times.push(performance.now() - start)
  return value
}

/** Creates `count` upload forms, with one request per hundred. */
export async function createForms(url: string, key: string, count: number): Promise<UploadForm[]> {
  const lathe = new Lathe({ baseUrl: url, key, retries: 0 })
  const forms: UploadForm[] = []
  while (forms.length < count) {
    const names = Array.from({ length: Math.min(100, count - forms.length) }, (_, n) => `upload${n}`)
    const tasks = Object.fromEntries(names.map((name) => [name, { operation: 'import/upload' as const }]))
    const { now } = await lathe.jobs.create({ tasks })
    forms.push(...(now.tasks ?? []).flatMap(({ result }) => result.form ?? []))
  }
  return forms
}

import type { IAllExecuteFunctions, IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow'
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow'
import type { Job, Task, TaskFile, TaskFilePage } from '../generated/types.ts'
import { callApi, callLink, isOutage, segment } from '../shared/request.ts'
import { takesOutputFormat, takesTogether } from './choices.ts'
import { upload } from './upload.ts'

const downloads = 5

/** Fields that are the same for every item: a job has one tag, and its files go to one field. */
export interface AdditionalFields {
  readonly outputField?: string
  readonly filename?: string
  readonly preset?: string
  readonly tag?: string
  readonly timeLimit?: number
}

/** Creates a job that makes one result of each group of items, and uploads their files. Returns its id. */
export async function startJob(
  context: IExecuteFunctions,
  groups: readonly (readonly number[])[],
  webhookUrl?: string,
): Promise<string> {
  const { tag } = fieldsOf(context, groups[0]?.[0] ?? 0)
  const tasks = Object.fromEntries(
    groups.flatMap((items) => {
      const files = items.map((item) => [`file-${item}`, { operation: 'import/upload' }])
      return [...files, [`result-${items[0] ?? 0}`, toTask(context, items)]]
    }),
  )
  const body = { tasks, ...(tag && { tag }), ...(webhookUrl && { webhook_url: webhookUrl }) }
  const job = await callApi<Job>(context, 'POST', '/v1/process/jobs', { body, patient: true })
  try {
    for (const item of groups.flat()) {
      const form = taskOf(job, `file-${item}`)?.result.form
      if (!form)
        throw new NodeOperationError(context.getNode(), 'The job does not accept uploads.', { itemIndex: item })
      await upload(context, item, context.getNodeParameter('inputField', item) as string, form)
    }
  } catch (error) {
    // Without its files the job would wait until it expires.
    if (!isOutage(error)) await cancelJob(context, job)
    throw new NodeOperationError(context.getNode(), error as Error, { itemIndex: groups[0]?.[0] ?? 0 })
  }
  return job.id
}

/** The task for a group of items, with the parameters of its first item. */
function toTask(context: IExecuteFunctions, items: readonly number[]): object {
  const first = items[0] ?? 0
  const operation = context.getNodeParameter('operation', first) as string
  const inputFormat = context.getNodeParameter('inputFormat', first, '') as string
  const { filename, preset } = fieldsOf(context, first)
  const { value } = context.getNodeParameter('options', first, {}) as { value?: Record<string, unknown> | null }
  const options = Object.entries(value ?? {}).filter(([, one]) => one !== null && one !== undefined && one !== '')
  return {
    operation,
    input: items.map((item) => `file-${item}`),
    // Files of different formats can be merged, so there the input format only helps to choose options.
    ...(inputFormat && !takesTogether(operation) && { input_format: inputFormat }),
    ...(takesOutputFormat(operation) && { output_format: context.getNodeParameter('outputFormat', first) }),
    ...(options.length > 0 && { options: Object.fromEntries(options) }),
    ...(filename && { filename }),
    ...(preset && { preset }),
  }
}

export function fieldsOf(context: IExecuteFunctions, item: number): AdditionalFields {
  return context.getNodeParameter('additionalFields', item, {}) as AdditionalFields
}

/** Waits until a job has ended. One that takes longer than the limit is canceled. */
export async function waitForJob(context: IExecuteFunctions, id: string, limitMs: number): Promise<Job> {
  const end = Date.now() + limitMs
  for (;;) {
    const headers = { Prefer: `wait=${Math.max(1, Math.min(30, Math.round((end - Date.now()) / 1000)))}` }
    const job = await callApi<Job>(context, 'GET', `/v1/process/jobs/${segment(id)}`, { headers, patient: true })
    if (hasEnded(job)) return job
    if (Date.now() >= end) {
      await cancelJob(context, job)
      throw new NodeOperationError(context.getNode(), `The job ${id} took longer than ${limitMs / 60_000} minutes.`)
    }
    // The service answers at once if too many requests are already waiting.
    await sleep(500)
  }
}

export function hasEnded({ status }: Job): boolean {
  return status === 'completed' || status === 'failed'
}

/** Cancels tasks that have not ended. Failures are ignored, because the original error is the one to report. */
async function cancelJob(context: IAllExecuteFunctions, { tasks = [] }: Job): Promise<void> {
  const open = tasks.filter(({ status }) => status === 'created' || status === 'processing')
  await Promise.allSettled(open.map(({ id }) => callApi(context, 'POST', `/v1/process/tasks/${segment(id)}/cancel`)))
}

/** The results of a job, one item for each file, and their errors. Items are identified by the names of the tasks. */
export async function readResults(
  context: IExecuteFunctions | IWebhookFunctions,
  job: Job,
  { outputField = 'data', continueOnFail }: { outputField?: string; continueOnFail: boolean },
): Promise<INodeExecutionData[]> {
  const found: INodeExecutionData[] = []
  for (const task of job.tasks ?? []) {
    const [, index] = /^result-(\d+)$/.exec(task.name) ?? []
    if (index === undefined) continue
    const item = Number(index)
    if (task.status === 'completed') {
      for (const file of await allFilesOf(context, task))
        found.push(await readFile(context, job, task, file, item, outputField))
    } else if (continueOnFail) {
      const { errorCode, reason, msg } = task.result
      found.push({ json: { error: msg ?? task.status, errorCode, reason, jobId: job.id }, pairedItem: { item } })
    } else throw toTaskError(context, task, item)
  }
  // A task that was deleted is not among them.
  return found.length === 0 && job.status === 'failed' ? [toFailedJob(context, job, continueOnFail)] : found
}

function toFailedJob(context: IAllExecuteFunctions, { id, result }: Job, continueOnFail: boolean): INodeExecutionData {
  const message = result.msg ?? `The job ${id} failed`
  if (!continueOnFail) throw new NodeOperationError(context.getNode(), message)
  return { json: { error: message, errorCode: result.errorCode, jobId: id }, pairedItem: { item: 0 } }
}

/** The files of a task. An answer shows only the first of many; the others are read in pages. */
async function allFilesOf(context: IAllExecuteFunctions, { id, result }: Task): Promise<readonly TaskFile[]> {
  const { files = [], filesTotal = 0 } = result
  if (filesTotal <= files.length) return files
  const all: TaskFile[] = []
  for (let page: number | null = 1; page !== null; ) {
    const found: TaskFilePage = await callApi(
      context,
      'GET',
      `/v1/process/tasks/${segment(id)}/files?per_page=1000&page=${page}`,
      { patient: true },
    )
    all.push(...found.docs)
    page = found.nextPage
  }
  return all
}

function toTaskError(context: IAllExecuteFunctions, { status, result }: Task, itemIndex: number): NodeApiError {
  const message = result.msg ?? `The task is ${status}`
  const description = result.reason ? `Reason: ${result.reason}` : ''
  return new NodeApiError(context.getNode(), { message }, { message, description, itemIndex })
}

/** A stream. Nodes may not import its module. */
type Content = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0]

async function readFile(
  context: IExecuteFunctions | IWebhookFunctions,
  job: Job,
  task: Task,
  { filename = 'file', size, sha256, url = '', expiresAt }: TaskFile,
  item: number,
  field: string,
): Promise<INodeExecutionData> {
  const content = await download(context, url, filename)
  const { warnings } = task.result
  return {
    json: { jobId: job.id, filename, size, sha256, expiresAt, ...(warnings && { warnings: [...warnings] }) },
    binary: { [field]: content },
    pairedItem: { item },
  }
}

/** Downloads a file, from its start again if the connection is lost. */
async function download(context: IExecuteFunctions | IWebhookFunctions, url: string, filename: string) {
  for (let failures = 1; ; failures += 1) {
    const { body } = await callLink<Content>(context, { method: 'GET', url, encoding: 'stream', timeout: 600_000 })
    try {
      return await context.helpers.prepareBinaryData(body, filename)
    } catch (error) {
      if (failures === downloads) throw error
      await sleep(1000 * failures)
    }
  }
}

function taskOf({ tasks = [] }: Job, name: string): Task | undefined {
  return tasks.find((task) => task.name === name)
}

import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeConnectionTypes, NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow'
import type { Job, WebhookWithSecret } from '../generated/types.ts'
import { callApi, segment } from '../shared/request.ts'
import { readDelivery, refuse } from '../shared/verify.ts'
import { getInputFormats, getOptionFields, getOutputFormats, takesTogether } from './choices.ts'
import { fieldsOf, hasEnded, readResults, startJob, waitForJob } from './job.ts'
import { properties } from './properties.ts'
import { resumeWebhooks } from './resume-webhooks.ts'

// A job has at most 100 tasks: an upload task and a result task for each item.
const itemsPerJob = 50

/** Runs any file operation of the service. */
export class Lathe implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Lathe',
    name: 'lathe',
    icon: { light: 'file:lathe.svg', dark: 'file:lathe.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle:
      '={{ $parameter["operation"] + ($parameter["outputFormat"] ? " to " + $parameter["outputFormat"] : "") }}',
    description: 'Convert, compress, merge, split, rotate and read files',
    defaults: { name: 'Lathe' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'latheApi', required: true }],
    webhooks: resumeWebhooks,
    properties,
  }

  methods = {
    loadOptions: { getInputFormats, getOutputFormats },
    resourceMapping: { getOptionFields },
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData()
    const numbers = items.map((_, item) => item)
    const isOne = takesTogether(this.getNodeParameter('operation', 0))
    const groups = isOne ? [numbers] : numbers.map((item) => [item])
    if (this.getNodeParameter('wait', 0) === 'webhook') {
      if (items.length > itemsPerJob) {
        throw new NodeOperationError(
          this.getNode(),
          `Waiting by webhook is for up to ${itemsPerJob} items. Use a loop.`,
        )
      }
      // The secret must exist before a job can be signed with it.
      await callApi(this, 'POST', '/v1/webhooks/secret')
      await startJob(this, groups, String(this.evaluateExpression('{{ $execution.resumeUrl }}', 0)))
      await this.putExecutionToWait(WAIT_INDEFINITELY)
      return [items]
    }
    return [await runAll(this, groups)]
  }

  /** Called by Lathe with the events of the job that the execution waits for. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = await callApi<WebhookWithSecret>(this, 'GET', '/v1/webhooks/secret')
    const event = readDelivery(this, secret)
    if (!event) return refuse(this)
    const id = 'job' in event.data ? event.data.job.id : undefined
    const job =
      id && event.type.startsWith('job.') && (await callApi<Job>(this, 'GET', `/v1/process/jobs/${segment(id)}`))
    if (!job || !hasEnded(job)) return { webhookResponse: { message: 'The job has not ended.' } }
    // Respond before the downloads: otherwise the sender would time out and call again.
    this.getResponseObject().status(200).json({ message: 'The execution continues.' })
    const { outputField } = this.getNodeParameter('additionalFields', {}) as { outputField?: string }
    const { onError, continueOnFail = false } = this.getNode()
    const settings = { continueOnFail: continueOnFail || (onError ?? '').startsWith('continue') }
    const results = await readResults(this, job, { ...settings, ...(outputField && { outputField }) })
    return { noWebhookResponse: true, workflowData: [results] }
  }
}

/** Starts all jobs before it waits for the first, so that the service can work on many at a time. */
async function runAll(
  context: IExecuteFunctions,
  groups: readonly (readonly number[])[],
): Promise<INodeExecutionData[]> {
  const results: INodeExecutionData[] = []
  const started: { readonly item: number; readonly id: string }[] = []
  for (const items of groups) {
    const item = items[0] ?? 0
    await orReport(context, item, results, async () => {
      started.push({ item, id: await startJob(context, [items]) })
    })
  }
  for (const { item, id } of started) {
    await orReport(context, item, results, async () => {
      const { timeLimit = 60, outputField } = fieldsOf(context, item)
      const job = await waitForJob(context, id, timeLimit * 60_000)
      const settings = { continueOnFail: context.continueOnFail(), ...(outputField && { outputField }) }
      results.push(...(await readResults(context, job, settings)))
    })
  }
  return results
}

/** Turns a failure into an item if the workflow continues after errors. */
async function orReport(
  context: IExecuteFunctions,
  item: number,
  results: INodeExecutionData[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!context.continueOnFail()) {
      throw new NodeOperationError(context.getNode(), error as Error, { itemIndex: item })
    }
    results.push({ json: { error: (error as Error).message }, pairedItem: { item } })
  }
}

import type {
  IHookFunctions,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import type { Webhook, WebhookWithSecret } from '../generated/types.ts'
import { callApi, isNotFound, segment } from '../shared/request.ts'
import { readDelivery, refuse } from '../shared/verify.ts'

/** Stored between activation and deactivation. */
interface Registration {
  webhookId?: string | undefined
  secret?: string | undefined
}

/** Starts a workflow on events of jobs and tasks. */
export class LatheTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Lathe Trigger',
    name: 'latheTrigger',
    icon: { light: 'file:../Lathe/lathe.svg', dark: 'file:../Lathe/lathe.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when something happens to a job or task of Lathe',
    defaults: { name: 'Lathe Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'latheApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event Names or IDs',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['job.completed', 'job.failed'],
        typeOptions: { loadOptionsMethod: 'getEvents' },
        description:
          'The events to start on. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
    ],
  }

  methods = { loadOptions: { getEvents } }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node') as Registration
        if (!webhookId || !secret) return false
        try {
          const found = await callApi<Webhook>(this, 'GET', `/v1/webhooks/${segment(webhookId)}`)
          const wanted = this.getNodeParameter('events') as string[]
          const isSame = found.url === this.getNodeWebhookUrl('default') && found.enabled
          return isSame && [...found.events].sort().join() === [...wanted].sort().join()
        } catch (error) {
          if (isNotFound(error)) return false
          throw error instanceof NodeApiError ? error : new NodeApiError(this.getNode(), { message: String(error) })
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const body = {
          url: this.getNodeWebhookUrl('default'),
          events: this.getNodeParameter('events') as string[],
          description: 'n8n',
        }
        const { id, secret } = await callApi<WebhookWithSecret>(this, 'POST', '/v1/webhooks', { body })
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: id, secret } satisfies Registration)
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Registration
        if (kept.webhookId) {
          try {
            await callApi(this, 'DELETE', `/v1/webhooks/${segment(kept.webhookId)}`)
          } catch (error) {
            // The webhook has already been deleted elsewhere.
            if (!isNotFound(error)) return false
          }
        }
        delete kept.webhookId
        delete kept.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node') as Registration
    const event = secret ? readDelivery(this, secret) : undefined
    if (!event) return refuse(this)
    // A test of the webhook, without a job.
    if ((event.type as string) === 'webhook.ping') return { webhookResponse: { message: 'pong' } }
    return { workflowData: [[{ json: { ...event } }]] }
  }
}

/** The events that the service can send, from its OpenAPI description. */
async function getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { components } = await callApi<{
    components: { schemas: { CreateWebhookRequest: { properties: { events: { items: { enum: string[] } } } } } }
  }>(this, 'GET', '/openapi.json')
  const names = components.schemas.CreateWebhookRequest.properties.events.items.enum
  return names.map((value) => ({ name: toTitle(value), value }))
}

/** Formats an event name such as `job.completed` for display. */
function toTitle(name: string): string {
  return name.replaceAll(
    /(^|[._])(\w)/g,
    (_, gap: string, letter: string) => `${gap ? ' ' : ''}${letter.toUpperCase()}`,
  )
}

import type { IWebhookDescription } from 'n8n-workflow'

/** `$execution.resumeUrl`, which continues a paused execution. n8n creates one for each, so nothing is registered. */
export const resumeWebhooks: IWebhookDescription[] = [
  {
    name: 'default',
    httpMethod: 'POST',
    responseMode: 'onReceived',
    path: '',
    restartWebhook: true,
    isFullPath: true,
  },
]

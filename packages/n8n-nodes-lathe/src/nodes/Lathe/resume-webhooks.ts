import type { IWebhookDescription } from 'n8n-workflow'

/** `$execution.resumeUrl`, which continues a paused execution. n8n creates it for each one, so there is nothing to register. */
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

import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

/** The URL of the service and an API key for it. */
export class LatheApi implements ICredentialType {
  [key: string]: unknown

  name = 'latheApi'

  displayName = 'Lathe API'

  icon = { light: 'file:../nodes/Lathe/lathe.svg', dark: 'file:../nodes/Lathe/lathe.dark.svg' } as const

  documentationUrl = 'https://lathe.example.com/docs'

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://lathe.example.com',
      description: 'Where your Lathe is, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'A key with the scopes task.read and task.write; for triggers and waiting by webhook also webhook.read and webhook.write',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/process/jobs', qs: { per_page: 1 } },
  }
}

/**
 * The part of n8n's `n8n-workflow` that these nodes use. Its license does not allow it as a dependency of this repository;
 * n8n provides it where the nodes run.
 */
declare module 'n8n-workflow' {
  export interface IDataObject {
    [key: string]: unknown
  }
  export type JsonObject = Record<string, unknown>

  export interface INode {
    readonly id: string
    readonly name: string
    readonly onError?: string
    readonly continueOnFail?: boolean
  }

  export interface IBinaryData {
    data: string
    mimeType: string
    fileName?: string
    id?: string
  }
  export interface INodeExecutionData {
    json: IDataObject
    binary?: Record<string, IBinaryData>
    pairedItem?: { item: number } | { item: number }[] | number
  }

  export interface IHttpRequestOptions {
    url: string
    method?: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT'
    headers?: IDataObject
    qs?: IDataObject
    // biome-ignore lint/suspicious/noExplicitAny: n8n accepts anything that can be sent
    body?: any
    json?: boolean
    encoding?: 'stream'
    returnFullResponse?: boolean
    ignoreHttpStatusErrors?: boolean
    timeout?: number
  }

  interface RequestHelpers {
    // biome-ignore lint/suspicious/noExplicitAny: n8n does not know what a service answers
    httpRequest(options: IHttpRequestOptions): Promise<any>
    httpRequestWithAuthentication(
      this: IAllExecuteFunctions,
      credentialsType: string,
      options: IHttpRequestOptions,
      // biome-ignore lint/suspicious/noExplicitAny: n8n does not know what a service answers
    ): Promise<any>
  }
  interface BinaryHelpers {
    // biome-ignore lint/suspicious/noExplicitAny: a Readable, whose module nodes may not import
    prepareBinaryData(content: any, fileName?: string, mimeType?: string): Promise<IBinaryData>
    getBinaryStream(id: string, chunkSize?: number): Promise<AsyncIterable<Buffer>>
    getBinaryMetadata(id: string): Promise<{ fileSize: number }>
  }

  interface FunctionsBase {
    getNode(): INode
    getCredentials(type: string): Promise<IDataObject>
    getWorkflowStaticData(type: string): IDataObject
    readonly helpers: RequestHelpers
  }
  export type IAllExecuteFunctions = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions

  export interface IExecuteFunctions extends FunctionsBase {
    getInputData(): INodeExecutionData[]
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown
    continueOnFail(): boolean
    evaluateExpression(expression: string, itemIndex: number): unknown
    putExecutionToWait(till: Date): Promise<void>
    readonly helpers: RequestHelpers &
      BinaryHelpers & { assertBinaryData(itemIndex: number, property: string): IBinaryData }
  }
  export interface IHookFunctions extends FunctionsBase {
    getNodeWebhookUrl(name: 'default'): string | undefined
    getNodeParameter(name: string, fallback?: unknown): unknown
  }
  export interface ILoadOptionsFunctions extends FunctionsBase {
    getCurrentNodeParameter(name: string): unknown
  }
  export interface IWebhookFunctions extends FunctionsBase {
    getBodyData(): IDataObject
    getHeaderData(): Record<string, string | string[] | undefined>
    getNodeParameter(name: string, fallback?: unknown): unknown
    getRequestObject(): { readonly rawBody: Buffer }
    getResponseObject(): { status(code: number): { json(body: unknown): unknown } }
    readonly helpers: RequestHelpers & BinaryHelpers
  }
  export interface IWebhookResponseData {
    workflowData?: INodeExecutionData[][]
    webhookResponse?: unknown
    noWebhookResponse?: boolean
  }

  export interface INodePropertyOptions {
    name: string
    value: string | number | boolean
    description?: string
    action?: string
  }
  export interface INodeProperties {
    displayName: string
    name: string
    type: string
    default: unknown
    [key: string]: unknown
  }
  export interface ResourceMapperField {
    id: string
    displayName: string
    required: boolean
    defaultMatch: boolean
    display: boolean
    type?: 'boolean' | 'number' | 'options' | 'string'
    removed?: boolean
    options?: INodePropertyOptions[]
    defaultValue?: string | number | boolean | null
  }
  export interface ResourceMapperFields {
    fields: ResourceMapperField[]
    emptyFieldsNotice?: string
  }

  export interface IWebhookDescription {
    name: 'default'
    httpMethod: string
    path: string
    responseMode?: string
    isFullPath?: boolean
    restartWebhook?: boolean
  }
  export interface INodeTypeDescription {
    displayName: string
    name: string
    [key: string]: unknown
  }
  export interface INodeType {
    description: INodeTypeDescription
  }
  export interface ICredentialType {
    name: string
    displayName: string
    properties: INodeProperties[]
    [key: string]: unknown
  }
  export interface IAuthenticateGeneric {
    type: 'generic'
    properties: IDataObject
  }
  export interface ICredentialTestRequest {
    request: IDataObject & { url: string }
  }

  interface ErrorOptions {
    message?: string
    description?: string
    httpCode?: string
    itemIndex?: number
  }
  export class NodeApiError extends Error {
    constructor(node: INode, error: JsonObject, options?: ErrorOptions)
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: Error | string, options?: ErrorOptions)
  }
  export const NodeConnectionTypes: { readonly Main: 'main' }
  export const WAIT_INDEFINITELY: Date
  export function sleep(ms: number): Promise<void>
}

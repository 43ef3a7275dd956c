import { type ProblemCode, problems } from '@lathe/domain'
import { errorCodesOf, httpErrorCodes, problemStatus } from '../http-errors.ts'
import { errorResponse } from '../routes/route.ts'
import { toResponse } from './build-operation.ts'
import type { JsonObject, SchemaCollector } from './schema-collector.ts'

/** Headers a request may carry. */
export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours, the same request with the same key creates nothing and returns what the first one created, in its current state. Another request with the key is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  PreferWait: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`wait=N` delays the response until the task or job has ended, for at most 60 seconds.',
    schema: { type: 'string', examples: ['wait=30'] },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The `seq` of the last event that was received; the stream continues after it. Overrides `after`.',
    schema: { type: 'integer', minimum: 0 },
  },
  TusResumable: {
    name: 'Tus-Resumable',
    in: 'header',
    required: true,
    description: 'The version of the tus protocol.',
    schema: { type: 'string', enum: ['1.0.0'] },
  },
} as const satisfies JsonObject

/** How a client authenticates. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, sent as `Authorization: Bearer <API_KEY>`. Scopes: `task.read`, `task.write`, `webhook.read`, `webhook.write`, `account.read`, `account.write`.',
  },
} as const satisfies JsonObject

const integer = { schema: { type: 'integer' } }

/** The headers of error responses. */
export const headersOf: Readonly<Record<number, JsonObject>> = {
  405: { Allow: { description: 'The methods of this path.', schema: { type: 'string' } } },
  503: { 'Retry-After': { description: 'Seconds to wait.', ...integer } },
  429: {
    'Retry-After': { description: 'Seconds to wait.', ...integer },
    'RateLimit-Limit': { description: 'Requests per minute.', ...integer },
    'RateLimit-Remaining': { description: 'Requests left.', ...integer },
    'RateLimit-Reset': { description: 'Seconds until the count resets.', ...integer },
  },
}

/** Every error response, once. */
export function sharedResponses(schemas: SchemaCollector): JsonObject {
  const statuses = [...new Set(Object.values(problemStatus))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = headersOf[status]
      return [`Error${status}`, { ...toResponse(errorResponse(status), schemas), ...(headers && { headers }) }]
    }),
  )
}

/** The closed list of error codes as Markdown. A table would be too narrow in the reference. */
export function errorCodeList(): string {
  const line = (code: ProblemCode) => `- \`${code}\` (${problemStatus[code]}): ${problems[code]}`
  const statuses = [...new Set(httpErrorCodes.map((code) => problemStatus[code]))].sort()
  return statuses.flatMap((status) => errorCodesOf(status).map(line)).join('\n')
}

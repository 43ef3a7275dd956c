import { Type } from 'typebox'
import { jobTokenBody } from '../bodies/job-token-bodies.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import { JobTokenListView, JobTokenWithTextView } from '../schemas/job-token-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['jobs'], scope: 'task.read' } as const
const write = { tags: ['jobs'], scope: 'task.write' } as const
const params = Type.Object({ jobId: ObjectIdParameter })
const tokens = '/v1/process/jobs/{jobId}/tokens'

/** Tokens that may read one job. */
export const jobTokenRoutes = {
  listJobTokens: {
    ...read,
    method: 'GET',
    path: tokens,
    operationId: 'listJobTokens',
    summary: 'List the tokens of a job',
    description: 'All tokens of the job, newest first, with those that no longer work; never their text.',
    params,
    responses: {
      200: { description: 'The tokens.', schema: JobTokenListView },
      ...errorsFor({ ...read, single: true }),
    },
  },
  createJobToken: {
    ...write,
    method: 'POST',
    path: tokens,
    operationId: 'createJobToken',
    summary: 'Create a job token',
    description:
      'Creates a bearer token that can read this job, its tasks, their events and their files, and nothing else. Use it in links that you share and in the browsers of your users. It cannot read payloads of imports and exports, upload forms and tags. It stops working when it expires, is revoked, or an API key of the account is revoked without `keep_links`.',
    params,
    body: jobTokenBody,
    bodyOptional: true,
    responses: {
      201: { description: 'The token, with its text.', schema: JobTokenWithTextView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
  revokeJobToken: {
    ...write,
    method: 'DELETE',
    path: `${tokens}/{tokenId}`,
    operationId: 'revokeJobToken',
    summary: 'Revoke a job token',
    description:
      'The token stops working everywhere within 5 seconds. Links to files that it was shown work until they expire.',
    params: Type.Object({ jobId: ObjectIdParameter, tokenId: ObjectIdParameter }),
    responses: { 200: { description: 'Revoked; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
} as const satisfies Record<string, Route>

import { Type } from 'typebox'
import { jobBody } from '../bodies/bodies.ts'
import { runAgainJobBody } from '../bodies/run-again-bodies.ts'
import { limits } from '../limits.ts'
import { jobsQuery } from '../query/queries.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import { JobView } from '../schemas/job-view.ts'
import { JobPageView } from '../schemas/page-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['jobs'], scope: 'task.read' } as const
const write = { tags: ['jobs'], scope: 'task.write' } as const
const params = Type.Object({ jobId: ObjectIdParameter })

/** Creating, reading and deleting jobs. */
export const jobRoutes = {
  listJobs: {
    ...read,
    method: 'GET',
    path: '/v1/process/jobs',
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'The caller’s jobs of the last 24 hours, newest first. `include=tasks` adds their tasks, and at most 10 jobs are on a page then.',
    query: jobsQuery.schema,
    responses: { 200: { description: 'A page of jobs.', schema: JobPageView }, ...errorsFor(read) },
  },
  createJob: {
    ...write,
    method: 'POST',
    path: '/v1/process/jobs',
    operationId: 'createJob',
    summary: 'Create a job',
    description: 'Creates a job with all its tasks. Tasks refer to each other by name in `input`.',
    body: jobBody,
    bodyBytes: limits.inlineBodyBytes,
    waits: true,
    responses: {
      201: { description: 'The job with its tasks.', schema: JobView },
      ...errorsFor({ ...write, idempotent: true }),
    },
  },
  showJob: {
    ...read,
    method: 'GET',
    path: '/v1/process/jobs/{jobId}',
    operationId: 'showJob',
    summary: 'Show a job',
    description: 'The job with its tasks, in the order of the request.',
    params,
    waits: true,
    takesJobTokens: true,
    responses: { 200: { description: 'The job.', schema: JobView }, ...errorsFor({ ...read, single: true }) },
  },
  runJobAgain: {
    ...write,
    method: 'POST',
    path: '/v1/process/jobs/{jobId}/run-again',
    operationId: 'runJobAgain',
    summary: 'Run a job again',
    description:
      'Creates a new job with the same tasks. Imports whose files still exist are not repeated; the new tasks reuse the files. Refused with 400 and the names of the tasks if files are gone, or if a task needs secrets, which are not stored.',
    params,
    body: runAgainJobBody,
    bodyOptional: true,
    waits: true,
    responses: {
      201: { description: 'The new job with its tasks.', schema: JobView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
  deleteJob: {
    ...write,
    method: 'DELETE',
    path: '/v1/process/jobs/{jobId}',
    operationId: 'deleteJob',
    summary: 'Delete a job',
    description: 'Deletes the job, its tasks and their files immediately.',
    params,
    responses: { 200: { description: 'Deleted; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
} as const satisfies Record<string, Route>

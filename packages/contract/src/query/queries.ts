import { auditActions, deliveryStatuses, invalidField, jobStatuses, taskStatuses, usageGroups } from '@lathe/domain'
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  day,
  defineQuery,
  id,
  include,
  moment,
  oneOf,
  type Parameter,
  readList,
  text,
  wholeNumber,
} from './define-query.ts'
import { numberedPaging, paging } from './paging.ts'

/** The filters of a list of tasks. An unknown operation matches nothing. */
export const tasksQuery = defineQuery({
  status: oneOf(taskStatuses),
  operation: text({ examples: ['import/url'] }),
  job: id({ examples: ['66f2c1a0000100a1b2c3d4e5'] }),
  ...paging,
})

/** The filters of a list of jobs. */
export const jobsQuery = defineQuery({
  status: oneOf(jobStatuses),
  tag: text({ description: 'Only jobs with exactly this tag.' }),
  from: moment('Only jobs created from this time (UTC) on.'),
  to: moment('Only jobs created before this time (UTC).'),
  include: include(['tasks'], { description: 'Allowed: `tasks`.', examples: ['tasks'] }),
  ...paging,
})

/** Which files of a task to list. */
export const taskFilesQuery = defineQuery({
  per_page: wholeNumber({
    minimum: 1,
    maximum: limits.filesPerPageMax,
    default: limits.filesShown,
    description: 'Files per page.',
  }),
  page: numberedPaging.page,
})

/** What to include in a task. The payload is always included, so requesting it is harmless. */
export const taskQuery = defineQuery({
  include: include(['payload', 'job'], {
    description: 'Comma-separated: `payload`, `job`.',
    examples: ['payload,job'],
  }),
})

/** Which page of a file a preview shows. */
export const previewQuery = defineQuery({
  page: wholeNumber({
    description: 'Page of a document, or image of a file with several, from 1.',
    minimum: 1,
    maximum: limits.previewPage,
    default: 1,
  }),
})

/** A list without filters: webhooks, presets. */
export const listQuery = defineQuery(paging)

/** The filters of a list of deliveries. */
export const deliveriesQuery = defineQuery({ status: oneOf(deliveryStatuses), ...paging })

/** The filters of the audit log. */
export const auditQuery = defineQuery({
  action: oneOf(auditActions, { description: 'Only entries of this action.' }),
  user: id({ description: 'Only actions of this user.' }),
  from: moment('Only entries from this time (UTC) on.'),
  to: moment('Only entries before this time (UTC).'),
  ...paging,
})

const groups: Parameter<readonly (typeof usageGroups)[number][]> = {
  schema: Type.String({
    description: 'One or more of `day`, `operation`, `pair` and `engine`, separated by commas. Default: `day`.',
    examples: ['day,operation'],
  }),
  read(given, name) {
    const refuse = () =>
      invalidField(name, `must be one or more of: ${usageGroups.join(', ')}, with commas between them.`)
    const found = readList(given, usageGroups, refuse)
    if (found.length === 0) throw refuse()
    return found
  },
}

/** The requested usage. */
export const usageQuery = defineQuery({
  from: day('First day. Default: 29 days before `to`.'),
  to: day('Last day. Default: today.'),
  group_by: groups,
  ...numberedPaging,
})

/** How a key is revoked. */
export const revokeKeyQuery = defineQuery({
  keep_links: oneOf(['true', 'false'], { description: 'Whether links stay valid. Default: false.' }),
})

/** The accounts an administrator searches: by part of a name or email address, and where the last page ended. */
export const accountsQuery = defineQuery({
  search: { ...text(), read: (given: string) => given.slice(0, limits.emailChars) },
  before: id({}),
})

/** Reads an id in a path: 24 hex digits in any case. */
export const parseId = id({}).read

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { jobBody, taskNamePattern } from './bodies.ts'

/** Fields to change in one task; which are allowed depends on its operation. */
export const runAgainTaskBody = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: limits.optionsPerTask,
  title: 'RunTaskAgainRequest',
  description:
    'Fields of the operation to change, such as `options` or `output_format`. Other fields stay unchanged, and `null` removes a field. `options` are replaced as a whole.',
})

/** What to change when a job runs again. */
export const runAgainJobBody = Type.Object(
  {
    tag: jobBody.properties.tag,
    webhook_url: jobBody.properties.webhook_url,
    tasks: Type.Optional(
      Type.Unsafe<Record<string, Record<string, unknown>>>({
        type: 'object',
        maxProperties: limits.tasksPerJob,
        propertyNames: { pattern: taskNamePattern },
        additionalProperties: { type: 'object', maxProperties: limits.optionsPerTask },
        description:
          'Fields to change by the name of the task, such as `{"webp": {"options": {"quality": 60}}}`. Other fields stay unchanged, and `null` removes a field. `options` of a task are replaced as a whole.',
      }),
    ),
  },
  { additionalProperties: false, title: 'RunJobAgainRequest' },
)

import { engineFamilies, lanes } from '@lathe/domain'
import { type TSchema, Type } from 'typebox'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from '../common.ts'

const closed = { additionalProperties: false } as const
const count = Type.Integer({ minimum: 0 })
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])
const text = orNull(Type.String())
const family = Type.Enum([...engineFamilies])
const oldestMs = Type.Number({ minimum: 0, description: 'How long the oldest of them has waited.' })

/** An account, as administrators see it. */
export const InstanceAccountView = Type.Object(
  {
    id: ObjectIdSchema,
    kind: Type.Enum(['person', 'team']),
    name: Type.String(),
    email: orNull(Type.String()),
    isAdmin: Type.Boolean(),
    suspendedAt: NullableTimestamp,
    createdAt: Timestamp,
    lastUsedAt: NullableTimestamp,
    openTasks: count,
    storedBytes: Type.Number({ minimum: 0 }),
    plan: Type.Object(
      {
        slots: Type.Integer({ minimum: 1 }),
        minutesPerMonth: orNull(count),
        minutesPerTask: orNull(count),
        storageBytes: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
          description: 'Null means the setting STORED_BYTES_PER_OWNER, and 0 no limit.',
        }),
      },
      closed,
    ),
    minutesUsed: Type.Number({ minimum: 0, description: 'Conversion minutes used this month (UTC).' }),
  },
  { ...closed, title: 'InstanceAccount' },
)

/** A page of accounts. */
export const InstanceAccountPageView = Type.Object(
  {
    data: Type.Array(InstanceAccountView),
    next: Type.Optional(Type.String({ description: 'The value of `before` for the next page, if there is one.' })),
  },
  { ...closed, title: 'InstanceAccountPage' },
)

/** A new account with its password. */
export const NewAccountView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String(),
    email: Type.String(),
    isAdmin: Type.Boolean(),
    password: Type.String({ description: 'Shown only in this answer.' }),
  },
  { ...closed, title: 'NewAccount' },
)

const disabledFormat = { id: ObjectIdSchema, input: text, output: text, reason: text }

/** A format that was switched off. */
export const NewDisabledFormatView = Type.Object(disabledFormat, { ...closed, title: 'NewDisabledFormat' })

const DisabledFormatView = Type.Object(
  { ...disabledFormat, disabledBy: text, disabledAt: Timestamp },
  { ...closed, title: 'DisabledFormat' },
)

const WorkerView = Type.Object(
  {
    id: ObjectIdSchema,
    host: Type.String(),
    pools: Type.Array(Type.String()),
    sandboxLevel: Type.Integer({ minimum: 0, maximum: 3 }),
    lacks: Type.Array(family, { description: 'Families of engines that it does not have.' }),
    serves: Type.Array(family),
    startedAt: Timestamp,
    heartbeatAt: Timestamp,
    tasks: Type.Integer({ minimum: 0, description: 'Tasks it is running.' }),
    engines: orNull(
      Type.Integer({
        minimum: 1,
        description: 'How many engines it can run at once. null: it runs none, or does not say.',
      }),
    ),
    busyEngines: Type.Integer({ minimum: 0, description: 'How many of its tasks have an engine.' }),
  },
  { ...closed, title: 'Worker' },
)

const EngineStateView = Type.Object(
  { family, workers: count, running: count, waiting: count, oldestMs },
  { ...closed, title: 'EngineState' },
)

const QueueStateView = Type.Object(
  { pool: Type.String(), lane: Type.Enum([...lanes]), family: orNull(family), waiting: count, oldestMs },
  { ...closed, title: 'QueueState' },
)

/** Workers, engines and queues of the whole instance. */
export const InstanceView = Type.Object(
  {
    workers: Type.Array(WorkerView),
    engines: Type.Array(EngineStateView),
    queues: Type.Array(QueueStateView),
    backlog: Type.Object(
      { tasks: count, owners: count, largest: count },
      { ...closed, description: 'Ready tasks without a slot, their owners, and those of the owner with the most.' },
    ),
    announcement: text,
    disabledFormats: Type.Array(DisabledFormatView),
  },
  { ...closed, title: 'Instance' },
)

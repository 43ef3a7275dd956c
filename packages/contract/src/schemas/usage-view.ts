import { usageGroups } from '@lathe/domain'
import { operations } from '@lathe/operations'
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const
const count = (description: string) => Type.Integer({ minimum: 0, description })
const Day = Type.String({ format: 'date', examples: ['2026-01-31'] })
const textOrNone = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

const sums = {
  completed: count('Tasks that completed.'),
  failed: count('Tasks that failed.'),
  canceled: count('Tasks that were canceled, or deleted before their end.'),
  minutes: Type.Number({ minimum: 0, description: 'Conversion minutes.' }),
  bytes: count('Of the files that were made.'),
}

/** Sums of one group; dimensions that are not grouped by are absent. */
export const UsageRowView = Type.Object(
  {
    day: Type.Optional(Day),
    operation: Type.Optional(Type.Enum(operations)),
    inputFormat: textOrNone('Null for imports and exports, and where it is not known.'),
    outputFormat: textOrNone('Null for imports and exports, and where it is not known.'),
    engine: textOrNone('The family of engines, such as `image`; null where none was needed, or it is not known.'),
    ...sums,
  },
  { ...closed, title: 'UsageRow' },
)

/** A page of the usage of an account. */
export const UsageView = Type.Object(
  {
    from: Day,
    to: Day,
    groupBy: Type.Array(Type.Enum(usageGroups)),
    total: Type.Object(sums, { ...closed, description: 'All of these days, on this page or not.' }),
    docs: Type.Array(UsageRowView),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    hasNextPage: Type.Boolean(),
    nextPage: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  },
  { ...closed, title: 'Usage' },
)

export type UsageRow = Static<typeof UsageRowView>
export type Usage = Static<typeof UsageView>

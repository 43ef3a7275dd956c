import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

/** The answer of `/healthz`: the process is alive. */
export const HealthView = Type.Object({ status: Type.Literal('ok') }, { ...closed, title: 'Health' })

/** The answer of `/readyz`: which parts work; without PostgreSQL or storage the process is down. */
export const ReadinessView = Type.Object(
  {
    status: Type.Enum(['ready', 'degraded', 'down']),
    parts: Type.Record(Type.String(), Type.Enum(['up', 'down'])),
    sandbox_level: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3,
        description:
          'Lowest isolation level of all running workers: 3 full, 2 partial, 1 by an attested runtime, 0 none. Absent if no worker runs engines.',
      }),
    ),
  },
  { ...closed, title: 'Readiness' },
)

export type Readiness = Static<typeof ReadinessView>

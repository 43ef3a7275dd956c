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
          'The lowest level at which living workers keep their engines in: 3 fully, 2 with something left out, 1 by an attested runtime, 0 not at all. Absent while no worker that runs engines lives.',
      }),
    ),
  },
  { ...closed, title: 'Readiness' },
)

export type Health = Static<typeof HealthView>
export type Readiness = Static<typeof ReadinessView>

import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

/** The answer of `/healthz`: the process is alive. */
export const HealthView = Type.Object({ status: Type.Literal('ok') }, { ...closed, title: 'Health' })

/** The answer of `/readyz`: which parts work; without PostgreSQL or storage the process is down. */
export const ReadinessView = Type.Object(
  {
    status: Type.Enum(['ready', 'degraded', 'down']),
    parts: Type.Record(Type.String(), Type.Enum(['up', 'down'])),
  },
  { ...closed, title: 'Readiness' },
)

export type Health = Static<typeof HealthView>
export type Readiness = Static<typeof ReadinessView>

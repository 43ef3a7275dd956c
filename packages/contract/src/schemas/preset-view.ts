import { processingOperations } from '@lathe/operations'
import { type Static, Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from './common.ts'
import { pageFields } from './page-view.ts'

const closed = { additionalProperties: false } as const

/** A preset as it is shown. */
export const PresetView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String(),
    operation: Type.Enum(processingOperations),
    output_format: Type.Union([Type.String(), Type.Null()]),
    options: Type.Record(Type.String(), Type.Unknown()),
    personal: Type.Boolean(),
    user: ObjectIdSchema,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { ...closed, title: 'Preset' },
)

/** A page of presets, newest first. */
export const PresetPageView = Type.Object(
  { docs: Type.Array(PresetView), ...pageFields },
  { ...closed, title: 'PresetPage' },
)

export type Preset = Static<typeof PresetView>

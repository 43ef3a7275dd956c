import type { OptionDescriptor } from '@lathe/engines'
import { processingOperations } from '@lathe/operations'
import { type Static, Type } from 'typebox'
import { exampleEngine } from '../openapi/example-engine.ts'

const closed = { additionalProperties: false } as const

const FormatEntryView = Type.Object(
  {
    ext: Type.String({ examples: ['jpg'] }),
    alias_of: Type.Optional(
      Type.String({ description: 'The extension of the same format that answers use.', examples: ['jpg'] }),
    ),
    engine: Type.Optional(
      Type.String({
        description: 'The engine that works on this pair. Only where the request names one format of an operation.',
        examples: [exampleEngine('jpg', 'webp')],
      }),
    ),
    success_rate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Completed tasks of this pair among those that completed or failed on this instance in the last 30 days. Measured about once an hour. Absent for fewer than 20 tasks.',
        examples: [0.998],
      }),
    ),
    median_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'The median time in engines of completed tasks, of those of the last 24 hours at most.',
        examples: [1.25],
      }),
    ),
    tasks: Type.Optional(
      Type.Integer({
        minimum: 20,
        description: 'How many tasks `success_rate` is made from, rounded down to two significant digits.',
        examples: [1200],
      }),
    ),
  },
  closed,
)

/** The answer of the format queries. */
export const FormatListView = Type.Object({ formats: Type.Array(FormatEntryView) }, { ...closed, title: 'FormatList' })

/** Another option that an option depends on. */
export const OptionConditionView = Type.Object(
  {
    name: Type.String({ description: 'The other option.' }),
    required: Type.Boolean({
      description: 'True: without the other option this one has no effect. False: it can be set alone.',
    }),
    meta: Type.Array(
      Type.Object({ value: Type.String({ description: '`*` means any value.' }), label: Type.String() }, closed),
    ),
  },
  { ...closed, title: 'OptionCondition' },
)

/** One advanced option of a format pair. */
export const OptionDescriptorView = Type.Object(
  {
    name: Type.String(),
    hint: Type.String(),
    data_type: Type.Enum(['boolean', 'string', 'integer', 'number']),
    default_value: Type.String(),
    type: Type.String({ description: '`enum` where only the listed values are accepted, else the data type.' }),
    enum_values: Type.Optional(Type.Array(Type.Object({ value: Type.String(), hint: Type.String() }, closed))),
    conditions: Type.Array(OptionConditionView),
    label: Type.Optional(Type.String()),
    units: Type.Optional(Type.String()),
    properties: Type.Optional(
      Type.Object(
        {
          min: Type.Optional(Type.Number()),
          max: Type.Optional(Type.Number()),
          ranges: Type.Optional(
            Type.Array(
              Type.Object(
                { name: Type.String(), value: Type.String(), min: Type.Number(), max: Type.Number() },
                { ...closed, description: 'The range where the option `name` has this value.' },
              ),
            ),
          ),
          pattern: Type.Optional(Type.String()),
          max_length: Type.Optional(Type.Integer()),
          expects: Type.Optional(Type.String({ description: 'Description of the pattern.' })),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'OptionDescriptor' },
)

/** The answer of the options queries. */
export const OptionSetView = Type.Object(
  {
    sourceExt: Type.String(),
    targetExt: Type.String(),
    operation: Type.Enum(processingOperations),
    options: Type.Array(OptionDescriptorView),
  },
  { ...closed, title: 'OptionSet' },
)

const seconds = (description: string) => Type.Number({ minimum: 0, description, examples: [1.2] })

/** The answer of the route query: how a file of one format becomes another. */
export const RouteView = Type.Object(
  {
    from: Type.String({ examples: ['doc'] }),
    to: Type.String({ examples: ['md'] }),
    direct: Type.Boolean({ description: 'Whether one engine does it in one step.' }),
    steps: Type.Array(
      Type.Object(
        {
          from: Type.String({ examples: ['doc'] }),
          to: Type.String({ examples: ['docx'] }),
          engine: Type.String({ examples: [exampleEngine('doc', 'docx')] }),
          loses: Type.Optional(Type.String({ description: 'What this step may lose.' })),
          expected_seconds: seconds('Approximate time for a file of 1 MiB on an idle core.'),
        },
        closed,
      ),
      { minItems: 1, maxItems: 3, description: 'The steps in order.' },
    ),
    expected_seconds: seconds(
      'The median time of this pair on this instance where that is known, otherwise the sum of the steps.',
    ),
    fidelity: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'For several steps: the share of words and structure of real files that was found in the result when the route was chosen.',
        examples: [0.99],
      }),
    ),
  },
  { ...closed, title: 'ConversionRoute' },
)

export type ConversionRoute = Static<typeof RouteView>

export type FormatEntry = Static<typeof FormatEntryView>

export type FormatList = Static<typeof FormatListView>

/** The engines' descriptors are used on the wire as they are; a test checks that they match the schema. */
export type OptionSet = Omit<Static<typeof OptionSetView>, 'options'> & {
  readonly options: readonly OptionDescriptor[]
}

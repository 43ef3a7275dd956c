import { Type } from 'typebox'
import { presetBody, presetChangeBody } from '../bodies/preset-bodies.ts'
import { listQuery } from '../query/queries.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import { PresetPageView, PresetView } from '../schemas/preset-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['presets'], scope: 'task.read' } as const
const write = { tags: ['presets'], scope: 'task.write' } as const
const params = Type.Object({ presetId: ObjectIdParameter })
const one = '/v1/presets/{presetId}'

/** Named settings of operations. */
export const presetRoutes = {
  listPresets: {
    ...read,
    method: 'GET',
    path: '/v1/presets',
    operationId: 'listPresets',
    summary: 'List presets',
    description: 'The presets of the account, and the personal ones of the caller, newest first.',
    query: listQuery.schema,
    responses: { 200: { description: 'A page of presets.', schema: PresetPageView }, ...errorsFor(read) },
  },
  createPreset: {
    ...write,
    method: 'POST',
    path: '/v1/presets',
    operationId: 'createPreset',
    summary: 'Create a preset',
    description:
      'Stores an output format and options under a name. A task uses them through `preset`; its own fields take precedence. Presets do not store secrets such as passwords.',
    body: presetBody,
    responses: {
      201: { description: 'The preset.', schema: PresetView },
      ...errorsFor({ ...write, idempotent: true }),
    },
  },
  showPreset: {
    ...read,
    method: 'GET',
    path: one,
    operationId: 'showPreset',
    summary: 'Show a preset',
    description: 'One preset.',
    params,
    responses: { 200: { description: 'The preset.', schema: PresetView }, ...errorsFor({ ...read, single: true }) },
  },
  updatePreset: {
    ...write,
    method: 'PATCH',
    path: one,
    operationId: 'updatePreset',
    summary: 'Change a preset',
    description: 'Changes the fields that are set. Existing tasks do not change.',
    params,
    body: presetChangeBody,
    responses: { 200: { description: 'The preset.', schema: PresetView }, ...errorsFor({ ...write, single: true }) },
  },
  deletePreset: {
    ...write,
    method: 'DELETE',
    path: one,
    operationId: 'deletePreset',
    summary: 'Delete a preset',
    description: 'Deletes the preset. Tasks that were made with it stay as they are.',
    params,
    responses: { 200: { description: 'Deleted; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
} as const satisfies Record<string, Route>

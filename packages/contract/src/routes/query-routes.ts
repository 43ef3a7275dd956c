import { type ProcessingOperation, processingOperations } from '@lathe/operations'
import { formatsQuery, optionsQueryOf, routeQuery } from '../query/parse-format-query.ts'
import { FormatListView, OptionSetView, RouteView } from '../schemas/query-views.ts'
import { errorsFor, type Route } from './route.ts'

const shared = { method: 'GET', tags: ['queries'], scope: 'public' } as const

const allFormats: Route = {
  ...shared,
  path: '/v1/query/formats',
  operationId: 'queryFormats',
  summary: 'List all formats',
  description: 'Every format that some operation reads or writes, sorted, each once.',
  responses: { 200: { description: 'The formats.', schema: FormatListView }, ...errorsFor(shared) },
}

function formatsRoute(operation: ProcessingOperation): Route {
  return {
    ...shared,
    path: `/v1/query/formats/${operation}`,
    operationId: `query${capitalize(operation)}Formats`,
    summary: `List formats of ${operation}`,
    description:
      'With `input_format`: the formats it can be converted to. With `output_format`: the formats it can be converted from. At most one of the two may be set; without both, all formats of the operation. If one is set, each entry also has the `engine` of the pair, and its success rate on this instance if there were enough tasks.',
    query: formatsQuery.schema,
    responses: { 200: { description: 'The formats.', schema: FormatListView }, ...errorsFor(shared) },
  }
}

function optionsRoute(operation: ProcessingOperation): Route {
  return {
    ...shared,
    path: `/v1/query/options/${operation}`,
    operationId: `query${capitalize(operation)}Options`,
    summary: `List options of ${operation}`,
    description: 'The advanced options of an input and output pair. A pair the operation does not support is refused.',
    query: optionsQueryOf(operation).schema,
    responses: { 200: { description: 'The options.', schema: OptionSetView }, ...errorsFor(shared) },
  }
}

const pairRoute: Route = {
  ...shared,
  path: '/v1/query/routes',
  operationId: 'queryRoute',
  summary: 'Explain a conversion',
  description:
    'How `convert` converts one format to another: directly, or in up to three steps if no engine can do it directly. Each step has its engine, what may get lost and the expected time. Unsupported pairs are refused.',
  query: routeQuery.schema,
  responses: { 200: { description: 'The steps.', schema: RouteView }, ...errorsFor(shared) },
}

function capitalize<S extends string>(text: S): Capitalize<S> {
  return (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<S>
}

type QueryName = 'queryFormats' | 'queryRoute' | `query${Capitalize<ProcessingOperation>}${'Formats' | 'Options'}`

const list = [
  allFormats,
  ...processingOperations.map(formatsRoute),
  ...processingOperations.map(optionsRoute),
  pairRoute,
]

/** Public queries for what the service can do. */
export const queryRoutes = Object.fromEntries(list.map((route) => [route.operationId, route])) as Readonly<
  Record<QueryName, Route>
>

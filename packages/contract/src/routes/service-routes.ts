import { Type } from 'typebox'
import { HealthView, ReadinessView } from '../schemas/health-view.ts'
import { errorsFor, type Route } from './route.ts'

const open = { tags: ['service'], scope: 'public', method: 'GET' } as const
const pageErrors = errorsFor({ ...open, anyAccept: true })

/** Endpoints for operators and for readers of the reference. */
export const serviceRoutes = {
  health: {
    ...open,
    path: '/healthz',
    operationId: 'health',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process serves requests.',
    responses: { 200: { description: 'Alive.', schema: HealthView }, ...errorsFor(open) },
  },
  readiness: {
    ...open,
    path: '/readyz',
    operationId: 'readiness',
    summary: 'Can work be done?',
    description:
      'Proves that PostgreSQL and the storage work. Without Redis the service is degraded, not down. Reports how well engines are isolated.',
    responses: {
      200: { description: 'Ready, perhaps degraded.', schema: ReadinessView },
      ...errorsFor(open),
      503: { description: 'Down.', schema: ReadinessView },
    },
  },
  docs: {
    ...open,
    path: '/docs',
    operationId: 'docs',
    summary: 'Reference',
    description: 'This reference as a page.',
    responses: { 200: { description: 'The page.', mediaType: 'text/html' }, ...pageErrors },
  },
  openapi: {
    ...open,
    path: '/openapi.json',
    operationId: 'openapi',
    summary: 'OpenAPI document',
    description: 'This reference for machines.',
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: Type.Object({}, { additionalProperties: true }) },
      ...errorsFor(open),
    },
  },
  authDocs: {
    ...open,
    path: '/docs/auth',
    operationId: 'authDocs',
    summary: 'Reference of /auth',
    description: 'The endpoints of the web app for sign-in, teams and administration, as a page.',
    responses: { 200: { description: 'The page.', mediaType: 'text/html' }, ...pageErrors },
  },
  authOpenapi: {
    ...open,
    path: '/auth-openapi.json',
    operationId: 'authOpenapi',
    summary: 'OpenAPI document of /auth',
    description: 'The endpoints of the web app for sign-in, teams and administration, for machines.',
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: Type.Object({}, { additionalProperties: true }) },
      ...errorsFor(open),
    },
  },
} as const satisfies Record<string, Route>

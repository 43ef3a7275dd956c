import { validate } from '@scalar/openapi-parser'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { parseJob } from '../parse/parse-job.ts'
import { parseTask } from '../parse/parse-task.ts'
import type { Route } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import { ErrorView } from '../schemas/error-view.ts'
import { JobView } from '../schemas/job-view.ts'
import { JobPageView, TaskPageView } from '../schemas/page-view.ts'
import { FormatListView } from '../schemas/query-views.ts'
import { TaskView } from '../schemas/task-view.ts'
import { buildOpenApi } from './build-openapi.ts'
import { examples } from './examples.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Record<string, unknown>
}

const document = buildOpenApi({ version: '1.2.3', serverUrl: 'https://lathe.example.com' })
const paths = document.paths as Record<string, Record<string, Operation>>
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.openapi).toBe('3.1.0')
  })

  it('names the version and the server it was made for', () => {
    expect(document).toMatchObject({
      info: { 'x-lathe-version': '1.2.3' },
      servers: [{ url: 'https://lathe.example.com' }],
    })
    expect(buildOpenApi({ version: '1' }).servers).toEqual([{ url: '/' }])
  })

  it('holds every route once, and nothing else', () => {
    const expected = Object.values<Route>(routes).map(
      (route) => `${route.method.toLowerCase()} ${route.path} ${route.operationId}`,
    )
    expect(
      operations.map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`).sort(),
    ).toEqual(expected.sort())
  })

  it('declares every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`)
      expect(declared.sort()).toEqual((path.match(/\{\w+\}/g) ?? []).sort())
    }
  })

  it('has a target for every reference', () => {
    const text = JSON.stringify(document)
    const targets = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer]) => pointer ?? ''))
    expect(targets.size).toBeGreaterThan(20)
    for (const pointer of targets) {
      const target = pointer.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
      expect(target).toBeTypeOf('object')
    }
  })

  it('asks for a key with the scope of the route, and for none where the route is open', () => {
    for (const { operation } of operations) {
      const { scope } = routes[operation.operationId as keyof typeof routes]
      expect(operation.security).toEqual(scope === 'public' ? [] : [{ apiKey: [scope] }])
    }
  })

  it('describes every status a route may answer with [D-http-08]', () => {
    for (const { operation } of operations) {
      const { responses } = routes[operation.operationId as keyof typeof routes]
      expect(Object.keys(operation.responses)).toEqual(Object.keys(responses))
    }
  })

  it('is the same document every time', () => {
    expect(JSON.stringify(buildOpenApi({ version: '1' }))).toBe(JSON.stringify(buildOpenApi({ version: '1' })))
  })

  it('shows examples that keep their own schemas', () => {
    const views = {
      Task: TaskView,
      Job: JobView,
      TaskPage: TaskPageView,
      JobPage: JobPageView,
      FormatList: FormatListView,
      Error: ErrorView,
    }
    for (const [name, view] of Object.entries(views)) expect(isValid(view, examples[name])).toBe(true)
  })

  it('shows requests that are accepted', () => {
    expect(parseJob(examples.CreateJobRequest).tasks.length).toBe(3)
    expect(parseTask('convert', examples.ConvertRequest).operation).toBe('convert')
  })
})

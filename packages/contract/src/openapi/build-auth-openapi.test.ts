import { validate } from '@scalar/openapi-parser'
import { describe, expect, it } from 'vitest'
import { authRoutes } from '../routes/auth/auth-routes.ts'
import { buildAuthOpenApi } from './build-auth-openapi.ts'
import { buildOpenApi } from './build-openapi.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: object }>
}

const document = buildAuthOpenApi({ version: '1.2.3', serverUrl: 'https://lathe.example.com' })
const paths = document.paths as Record<string, Record<string, Operation>>
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document of /auth', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('has every route of the table once, under its operationId', () => {
    const wanted = Object.entries(authRoutes).map(([name, { method, path }]) => `${method} ${path} ${name}`)
    const found = operations.map(
      ({ path, method, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`,
    )
    expect(found.toSorted()).toEqual(wanted.toSorted())
  })

  it('has no endpoint or operationId of the versioned API, which has none of /auth', () => {
    const versioned = buildOpenApi({ version: '1' }).paths as typeof paths
    const ids = Object.values(versioned).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
    expect(Object.keys(versioned).filter((path) => path.startsWith('/auth/'))).toEqual([])
    expect(Object.keys(paths).filter((path) => !path.startsWith('/auth/'))).toEqual([])
    expect(operations.filter(({ operation }) => ids.includes(operation.operationId))).toEqual([])
  })

  it('describes the body of every change, and a body or none of every success', () => {
    for (const { method, operation } of operations) {
      expect(operation.requestBody !== undefined).toBe(method !== 'get')
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
      expect(successes.length).toBeGreaterThan(0)
      for (const [status, { content }] of successes)
        expect(content !== undefined).toBe(!['204', '302'].includes(status))
    }
  })

  it('asks for the origin of the service wherever something is changed', () => {
    for (const { method, operation } of operations) {
      const withPage = operation.security.filter((one) => 'ownPage' in one)
      expect(withPage.length).toBe(method === 'get' ? 0 : Math.max(operation.security.length, 1))
    }
  })

  it('declares every parameter of a path', () => {
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
      expect(declared.sort()).toEqual((path.match(/\{\w+\}/g) ?? []).sort())
    }
  })

  it('has a target for every reference', () => {
    const targets = new Set([...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to]) => to ?? ''))
    for (const pointer of targets) {
      const target = pointer.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document)
      expect(target).toBeTypeOf('object')
    }
  })
})

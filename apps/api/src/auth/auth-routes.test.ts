import { authRoutes as documented } from '@lathe/contract'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Services } from '../services.ts'
import type { Auth } from './auth.ts'
import { authRoutes } from './auth-routes.ts'

const table = Object.values(documented).map(({ method, path }) => `${method} ${path}`)

/** The routes of a mode, in the style of OpenAPI. Nothing is called, so the services can be missing. */
async function routesOf(mode: string, more: Partial<Auth> = {}): Promise<readonly string[]> {
  const app = fastify({ exposeHeadRoutes: false })
  const found: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) found.push(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })
  const auth = { config: { mode }, ...more } as unknown as Auth
  await authRoutes(app, { auth, http: { publicUrl: 'https://lathe.test' } } as unknown as Services)
  await app.ready()
  await app.close()
  return found.toSorted()
}

describe('the routes under /auth', () => {
  it('are all in the OpenAPI document, which has no others', async () => {
    const all = await routesOf('accounts', { oidc: {} as NonNullable<Auth['oidc']> })
    expect(all.length).toBeGreaterThan(40)
    expect(all).toEqual(table.toSorted())
  })

  it.each(['open', 'proxy'])('are some of them in the mode %s', async (mode) => {
    const some = await routesOf(mode)
    expect(some.length).toBeGreaterThan(3)
    expect(some.filter((route) => !table.includes(route))).toEqual([])
  })
})

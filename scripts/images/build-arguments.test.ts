import { expect, it } from 'vitest'
import { buildArguments } from './build-arguments.ts'

const build = {
  target: 'lathe',
  image: 'localhost/lathe:dev',
  base: 'localhost/base',
  epoch: '1767225600',
  registry: 'images.example.org/lathe',
  labels: {},
}

it('uses layers of earlier builds again, unless packages are to be the newest', () => {
  const usual = buildArguments({ ...build, isRefreshed: false })
  expect(usual).toContain('--layers')
  expect(usual).not.toContain('--no-cache')
  expect(buildArguments({ ...build, isRefreshed: true })).toContain('--no-cache')
})

it.each([true, false])('makes the same layers of the same content (refreshed: %s)', (isRefreshed) => {
  expect(buildArguments({ ...build, isRefreshed }).join(' ')).toContain('--timestamp 1767225600')
  // Caches of the engine root have it inside.
  expect(buildArguments({ ...build, isRefreshed })).toContain('SOURCE_DATE_EPOCH=1767225600')
})

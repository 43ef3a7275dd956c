import { expect, it } from 'vitest'
import { hasModules } from './check-out.ts'

const lock = (packages: Parameters<typeof hasModules>[0]['packages']) => ({ packages })

it.each([
  ['the same libraries', { 'node_modules/pg': { version: '8.1.0' } }, true],
  ['fewer libraries', {}, true],
  ['another version', { 'node_modules/pg': { version: '8.0.0' } }, false],
  ['another version in a package', { 'packages/storage/node_modules/pg': { version: '7.0.0' } }, false],
  ['a library that is gone', { 'node_modules/redis': { version: '5.0.0' } }, false],
  ['another version of what only tests need', { 'node_modules/vitest': { version: '4.0.0', dev: true } }, true],
  ['another version of what the command line needs', { 'apps/cli/node_modules/pg': { version: '1.0.0' } }, true],
  ['packages of ours', { 'node_modules/@lathe/gone': { link: true } }, true],
])('a release with %s', (_, packages, shares) => {
  const here = lock({ 'node_modules/pg': { version: '8.1.0' }, 'node_modules/new': { version: '1.0.0' } })
  expect(hasModules(here, lock(packages))).toBe(shares)
})

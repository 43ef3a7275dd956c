import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

const mostBytes = 12_000

it('the SDK has at most 12 kB, compressed', async () => {
  const entry = fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url))
  const lib = { entry, formats: ['es' as const] }
  const made = await build({ configFile: false, logLevel: 'silent', build: { lib, write: false, minify: true } })
  const outputs = [made].flat().flatMap((one) => ('output' in one ? one.output : []))
  const code = outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : [])).join('')
  // It runs where there are no modules of Node.js: what it uses of them it asks for when it is needed.
  expect(code).not.toMatch(/^import /m)
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(mostBytes)
  expect(code.length).toBeGreaterThan(1000)
})

import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const entry = fileURLToPath(new URL('../../packages/sdk/src/index.ts', import.meta.url))

it('the whole SDK, minified, has at most 12 kB with gzip', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: 'oxc',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external: /^node:/ },
    },
  })
  const [bundle] = built as Rolldown.RolldownOutput[]
  const code = (bundle?.output ?? []).flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : []))
  expect(code.join()).toContain('idempotency')
  const { length } = gzipSync(code.join('\n'))
  console.log(`the SDK: ${length} bytes with gzip`)
  expect(length).toBeLessThanOrEqual(12_000)
})

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { isFailure } from '@lathe/domain'
import { planTask } from '@lathe/engines'
import { detectFormat } from '@lathe/formats'
import { createSandbox, openRunner, type Sandbox, type WarmPool } from '@lathe/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const own = new AsyncDisposableStack()
let sandbox: Sandbox
let vips: WarmPool

beforeAll(async () => {
  const dir = await mkdtemp('/var/tmp/lathe-worker-test-')
  await chmod(dir, 0o711)
  own.defer(() => rm(dir, { recursive: true }))
  const config = readConfig({
    LATHE_SCRATCH_DIR: join(dir, 'scratch'),
    LATHE_ENGINE_ROOT: process.env.LATHE_ENGINE_ROOT,
    LATHE_SECRET: 'x'.repeat(32),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    STORAGE_KIND: 'disk',
    STORAGE_DIR: join(dir, 'files'),
    SANDBOX_UID: '64104',
  })
  sandbox = own.use(await createSandbox(config.sandbox))
  vips = own.use(await openRunner(sandbox, 'vips', { engineTasks: 1, warmCalls: 100 }))
})
afterAll(() => own.disposeAsync())

// Text needs fonts and their cache; a gradient of 2000 pixels needs the threads of libvips.
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1500"><defs><linearGradient id="g">
  <stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs>
  <rect width="2000" height="1500" fill="url(#g)"/><text x="50" y="400" font-size="300">Lathe</text></svg>`

async function convert(to: string): Promise<Buffer> {
  await using folder = await sandbox.createJobFolder()
  await using input = await folder.createFile('in-0.svg')
  await input.writeFile(svg)
  const source = { file: 'in-0.svg', format: 'svg', size: svg.length, filename: 'a.svg' }
  const plan = planTask({ operation: 'convert', sources: [source], to, options: {} })
  if (isFailure(plan)) throw new Error(plan.code)
  for (const step of plan.steps) {
    if (step.kind !== 'call') throw new Error('not a call')
    const { request, limits } = step
    const end = await vips.call('owner', request, { folder, limits, signal: AbortSignal.timeout(60_000) })
    if (isFailure(end)) throw new Error(`${end.code}: ${end.detail}`)
  }
  const output = await sandbox.openOutput(folder, plan.outputs[0]?.file ?? '')
  if (isFailure(output)) throw new Error(output.code)
  await using opened = output
  return await buffer(opened.stream())
}

describe('the image engine with its seccomp filter and limits', () => {
  it.each(['png', 'jpg', 'webp', 'avif', 'gif', 'tiff', 'pdf'])('still makes %s', async (to) => {
    const bytes = await convert(to)
    expect(detectFormat(bytes)?.ext).toBe(to)
    expect(bytes.length).toBeGreaterThan(1000)
  })
})

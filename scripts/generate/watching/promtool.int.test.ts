import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url))

it('promtool takes the rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', 'rules.yml'], { cwd: folder })
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
})

it('the alerts fire when they should, and only then', async () => {
  const { stdout, stderr } = await run('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: folder })
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
})

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase } from '@lathe/testing'
import { expect, it } from 'vitest'
import { readValueSets } from './chart-files.ts'

const run = promisify(execFile)
const admin = new URL('../admin.ts', import.meta.url).pathname
const { values } = readValueSets().find(({ name }) => name === 'minimal') ?? expect.fail('no minimal values')

it('the commands of the chart run with nothing but what it gives them', async () => {
  await using own = new AsyncDisposableStack()
  const { url } = own.use(await createTestDatabase())
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-chart-')), (made) => rm(made, { recursive: true }))
  // A pod cannot write to its root.
  const lathe = async (env: NodeJS.ProcessEnv, ...args: string[]) =>
    (await run(process.execPath, [admin, ...args], { env, cwd: '/' })).stdout.trim()
  // The first command of docs/kubernetes.md, for which there is no database yet.
  const keysOf = (role: string) =>
    lathe(
      { PATH: process.env.PATH ?? '', LATHE_SECRET: 'a secret that is long enough for anyone' },
      'derive-keys',
      '--role',
      role,
    )

  /** The environment of a pod, as `lathe.env` in templates/_helpers.tpl writes it: settings, and files for secrets. */
  async function envOf(part: 'api' | 'scheduler' | 'worker' | 'migrate', settings: object) {
    const role = part === 'migrate' ? 'api' : part
    const given: Record<string, string> = {
      DATABASE_URL: url,
      LATHE_KEYS: await keysOf(role),
      REDIS_URL: 'redis://127.0.0.1:9',
    }
    const env: Record<string, string> = { PATH: process.env.PATH ?? '', METRICS_HOST: '0.0.0.0', ...settings }
    for (const key of values.secrets[part]?.keys ?? expect.fail(part)) {
      env[`${key}_FILE`] = join(folder, `${part}-${key}`)
      await writeFile(join(folder, `${part}-${key}`), given[key] ?? 'unused')
    }
    return env
  }
  expect(await lathe(await envOf('migrate', {}), 'migrate')).toBe('Nothing to do.')
  const api = await envOf('api', { ...values.settings, ...values.api.settings })
  const key = await lathe(api, '--key-only', 'create-user', '--name', 'me', '--with-key')
  expect(key).toMatch(/^lathe_/)
  const scheduler = await envOf('scheduler', { ...values.settings, ...values.scheduler.settings })
  expect(await lathe(scheduler, 'migrate')).toBe('Nothing to do.')
})

import { readFileSync } from 'node:fs'
import { engineFamilies } from '@lathe/domain'
import { createMetrics } from '@lathe/runtime'
import { Check } from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { targets } from '../images/targets.ts'
import {
  chartDir,
  override,
  readSchema,
  readSettingNames,
  readTemplates,
  readValueSets,
  type Settings,
  type Values,
} from './chart-files.ts'

const sets = readValueSets()
const schema = readSchema()
const templates = readTemplates()
const { known, inFiles } = readSettingNames()
const families: readonly string[] = engineFamilies
const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

/** Value sets without a worker for web pages, as their comments say. */
const withoutPages = ['single-family']

it('has the version of the release', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const chart = parse(readFileSync(`${chartDir}/Chart.yaml`, 'utf8'))
  expect(chart).toMatchObject({ version, appVersion: version })
})

it('is tried with six value sets', () => {
  expect(sets.map(({ name }) => name).sort()).toEqual([
    'air-gapped',
    'autoscaling',
    'minimal',
    'monitoring-off',
    'production',
    'single-family',
  ])
})

describe.each(sets)('with the values $name', ({ values }) => {
  it('matches the schema', () => {
    expect(Check(schema, values)).toBe(true)
  })

  it('sets only settings that exist', () => {
    for (const name of settingsOf(values).flatMap(Object.keys)) expect([...known]).toContain(name)
  })

  it('mounts only secrets that are read from files', () => {
    for (const key of Object.values(values.secrets).flatMap(({ keys }) => keys)) expect([...inFiles]).toContain(key)
  })

  it('gives workers time to drain before they are killed, and the api too', () => {
    const { worker, api } = values
    for (const { settings } of Object.values(values.workers)) {
      const drain = Number(settings.WORKER_DRAIN_S ?? worker.settings.WORKER_DRAIN_S ?? 25)
      expect(worker.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 20)
    }
    expect(api.terminationGracePeriodSeconds).toBeGreaterThan(Number(api.settings.HTTP_DRAIN_S ?? 5) + 10)
  })

  it('serves each engine family that is switched on in an image that is built', () => {
    const images: readonly string[] = targets.map(({ name }) => name)
    for (const [name, worker] of Object.entries(values.workers)) {
      expect(images).toContain(worker.image)
      if (families.includes(name)) expect(worker.families).toBe(name)
    }
    expect(Object.keys(values.workers)).toEqual(expect.arrayContaining([...families]))
  })
})

describe('imports of web pages, which are transfers that need a browser', () => {
  it.each(sets.filter(({ name }) => !withoutPages.includes(name)))('are served with the values $name', ({ values }) => {
    const transfers = Object.values(values.workers).filter(
      ({ enabled, pools }) => enabled && pools.includes('transfer'),
    )
    expect(transfers).not.toEqual([])
    // A task goes to any worker of its pool: each of them must be able to run it.
    for (const { image, families } of transfers) {
      expect(rootFamiliesOf(image)).toContain('browser')
      expect(families.split(',')).toContain('browser')
    }
  })

  it.each(withoutPages)('are not served with the values %s, which say so', (name) => {
    const { file, values } = sets.find((set) => set.name === name) ?? expect.fail()
    const transfers = Object.values(values.workers).filter(
      ({ enabled, pools }) => enabled && pools.includes('transfer'),
    )
    expect(transfers.flatMap(({ image }) => rootFamiliesOf(image))).not.toContain('browser')
    expect(readFileSync(file, 'utf8')).toContain('`import/webpage`')
  })
})

it.each([
  ['an image that is not built', { workers: { av: { image: 'lathe-worker-av' } } }],
  ['a family that does not exist', { workers: { av: { families: 'video' } } }],
  ['a setting that is not a string', { settings: { LATHE_MAX_FILE_BYTES: 10_737_418_240 } }],
  ['a value nobody reads', { api: { replicaCount: 3 } }],
  ['no pods at all', { workers: { av: { replicas: 0 } } }],
  ['an ingress without a host', { api: { ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' } } }],
  ['workers without a memory limit', { workers: { av: { resources: { limits: { memory: null } } } } }],
])('refuses %s', (_, wrong) => {
  const [{ values } = expect.fail()] = sets
  expect(Check(schema, override(values as never, wrong as never))).toBe(false)
})

it('names only settings that exist in templates', () => {
  const names = [...templates.matchAll(/"([A-Z][A-Z0-9]*_[A-Z0-9_]+)"/g)].map(([, name]) => name)
  expect(names).toContain('WORKER_POOLS')
  for (const name of names) expect([...known]).toContain(name)
})

it('scales by metrics that exist, and by labels they have', () => {
  const { registry } = createMetrics()
  const used = [...templates.matchAll(/\b(lathe_[a-z_]+)\{((?:\{\{.*?\}\}|[^{}])*)\}/g)]
  expect(used.map(([, name]) => name)).toEqual(
    expect.arrayContaining(['lathe_engine_slots_busy', 'lathe_tasks_waiting']),
  )
  for (const [, name = '', conditions = ''] of used) {
    const metric = registry.getSingleMetric(name) as unknown as { readonly labelNames: readonly string[] } | undefined
    const labels = [...conditions.matchAll(/([a-z_]+)=~?"/g)].map(([, label]) => label)
    expect([...(metric ?? expect.fail(`no metric ${name}`)).labelNames, 'namespace']).toEqual(
      expect.arrayContaining(labels),
    )
  }
})

it('runs images that are built', () => {
  const images: readonly string[] = targets.map(({ name }) => name)
  const used = [...templates.matchAll(/"image" "([a-z-]+)"/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(['lathe']))
  expect(images).toContain('lathe')
})

it('bundles no database', () => {
  const chart = parse(readFileSync(`${chartDir}/Chart.yaml`, 'utf8'))
  expect(chart.dependencies).toBeUndefined()
})

/** What the engine root in an image is built for, by the Dockerfile. */
function rootFamiliesOf(image: string): readonly string[] {
  const [, root] = new RegExp(`AS ${image}\\nCOPY --from=(\\S+)`).exec(dockerfile) ?? expect.fail(`no image ${image}`)
  const [, list = ''] =
    new RegExp(`AS ${root}\\nRUN .* --families (\\S+)`).exec(dockerfile) ?? expect.fail(`no ${root}`)
  return list.split(',')
}

const settingsOf = ({ settings, api, scheduler, worker, workers }: Values): readonly Settings[] => [
  settings,
  api.settings,
  scheduler.settings,
  worker.settings,
  ...Object.values(workers).map((one) => one.settings),
]

it('gives no pod the secret of the installation, and each role keys of its own', () => {
  const [{ values } = expect.fail()] = sets
  for (const { keys } of Object.values(values.secrets)) expect(keys).not.toContain('LATHE_SECRET')
  const { api, scheduler, worker } = values.secrets
  expect(new Set([api, scheduler, worker].map((one) => one?.name)).size).toBe(3)
})

it('keeps the api in service while PostgreSQL or the storage is away', () => {
  const api = readFileSync(`${chartDir}/templates/api.yaml`, 'utf8')
  const pathOf = (probe: string) => new RegExp(`${probe}:\\n(?: *#.*\\n)* *httpGet: \\{ path: (\\S+),`).exec(api)?.[1]
  expect(pathOf('startupProbe')).toBe('/readyz')
  expect(pathOf('readinessProbe')).toBe('/healthz')
  expect(pathOf('livenessProbe')).toBe('/healthz')
})

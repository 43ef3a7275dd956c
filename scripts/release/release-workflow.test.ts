import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { targets } from '../images/targets.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}
interface Job {
  readonly needs?: readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: { readonly image: readonly string[] } }
  readonly steps: readonly Step[]
}
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { jobs } = parse(read('.github/workflows/release.yml')) as {
  jobs: Record<'packages' | 'python' | 'images' | 'notes', Job>
}
const stepOf = (job: Job, action: string) =>
  job.steps.find(({ uses }) => uses?.startsWith(action)) ?? expect.fail(action)
const runsOf = (job: Job) => job.steps.map(({ run = '' }) => run).join('\n')

describe('a release', () => {
  it('publishes every package for npm, with provenance', () => {
    const built = [...read('scripts/clients-build.ts').matchAll(/join\(folder, '(\w+)'\)/g)].map(([, name]) => name)
    expect(built).toContain('n8n')
    expect(runsOf(jobs.packages)).toContain(`for name in ${built.join(' ')}; do`)
    expect(runsOf(jobs.packages)).toContain('npm publish --provenance')
    expect(jobs.packages.permissions?.['id-token']).toBe('write')
  })

  it('publishes the Python client with its version, without a stored token', () => {
    const version = /^version = "(.+)"$/m.exec(read('clients/python/src/lathe/_version.py'))?.[1]
    expect(version).toBe(JSON.parse(read('package.json')).version)
    expect(runsOf(jobs.python)).toContain('clients/python/src/lathe/_version.py')
    expect(jobs.python.permissions?.['id-token']).toBe('write')
    const { with: publishing } = stepOf(jobs.python, 'pypa/gh-action-pypi-publish')
    expect(publishing).toMatchObject({ 'packages-dir': 'dist', attestations: true })
    expect(publishing).not.toHaveProperty('password')
  })

  it('is announced when all of it is published', () => {
    expect(jobs.notes.needs?.toSorted()).toEqual(
      Object.keys(jobs)
        .filter((name) => name !== 'notes')
        .toSorted(),
    )
  })

  it('publishes every image as `npm run images` makes it, with provenance', () => {
    expect(jobs.images.strategy?.matrix.image.toSorted()).toEqual(targets.map(({ name }) => name).toSorted())
    expect(runsOf(jobs.images)).toContain('scripts/images.ts --only="$IMAGE"')
    expect(runsOf(jobs.images)).toContain('skopeo copy --preserve-digests')
    const { with: proof } = stepOf(jobs.images, 'actions/attest-build-provenance')
    expect(proof?.['subject-digest']).toContain('steps.publish.outputs.digest')
    expect(jobs.images.permissions).toMatchObject({ 'id-token': 'write', attestations: 'write', packages: 'write' })
  })

  it('publishes the bill of materials of every image next to its notes', () => {
    expect(stepOf(jobs.images, 'actions/upload-artifact').with?.path).toMatch(/^\.lathe\/images\/.+\.cdx\.json$/)
    expect(stepOf(jobs.images, 'actions/upload-artifact').with?.name).toMatch(/^sbom-/)
    expect(stepOf(jobs.notes, 'actions/download-artifact').with).toMatchObject({ pattern: 'sbom-*', path: 'sboms' })
    expect(jobs.notes.needs).toContain('images')
    expect(runsOf(jobs.notes)).toContain('sboms/*.cdx.json')
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { targets } from '../images/targets.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
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

  it('publishes images under the names that the compose file and the chart pull', () => {
    // A tag of git is v1.2.3, one of an image 1.2.3: what `init` writes and what the chart's appVersion is.
    const tag = `$\{GITHUB_REF_NAME#v}`
    expect(runsOf(jobs.images)).toContain(`--tag="${tag}"`)
    expect(runsOf(jobs.images)).toContain(`"docker://$PUBLISHED:${tag}"`)
    expect(read('scripts/release.ts')).toContain(`tag v$\{version}`)
    const registry = `ghcr.io/$\{{ github.repository_owner }}`
    const build = jobs.images.steps.find(({ run }) => run?.includes('scripts/images.ts')) ?? expect.fail()
    expect(build.run).toContain('--registry="$REGISTRY"')
    expect(build.env).toMatchObject({ REGISTRY: registry })
    const publish = jobs.images.steps.find(({ run }) => run?.includes('skopeo')) ?? expect.fail()
    expect(publish.env?.PUBLISHED).toBe(`${registry}/\${{ matrix.image }}`)
    // The image tells `init` where it was published.
    expect(read('Dockerfile')).toMatch(/AS lathe\n[\s\S]*ENV LATHE_REGISTRY=\$\{REGISTRY\}/)

    const names: readonly string[] = targets.map(({ name }) => name)
    const composed = [
      ...read('deploy/compose.yaml').matchAll(/image: \$\{LATHE_REGISTRY[^}]*\}\/(\S+):\$\{LATHE_VERSION/g),
    ]
    expect(composed.length).toBeGreaterThan(3)
    for (const [, image = ''] of composed) expect(names).toContain(image.replace(/^\$\{\w+:-(.*)\}$/, '$1'))
    expect(read('deploy/helm/lathe/templates/_helpers.tpl')).toContain(
      ':{{ default .root.Chart.AppVersion .root.Values.image.tag }}',
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

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
  readonly strategy?: { readonly matrix: { readonly image: readonly string[] } }
  readonly steps: readonly Step[]
}
const { jobs } = parse(readFileSync(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')) as {
  jobs: Record<'images' | 'notes', Job>
}
const stepOf = (job: Job, action: string) =>
  job.steps.find(({ uses }) => uses?.startsWith(action)) ?? expect.fail(action)
const runsOf = (job: Job) => job.steps.map(({ run = '' }) => run).join('\n')

describe('a release', () => {
  it('publishes every image, with our labels', () => {
    expect(jobs.images.strategy?.matrix.image.toSorted()).toEqual(targets.map(({ name }) => name).toSorted())
    expect(runsOf(jobs.images)).toContain('describe-image.ts labels "$IMAGE"')
    expect(stepOf(jobs.images, 'docker/build-push-action').with?.labels).toContain('steps.labels.outputs.lines')
  })

  it('publishes the bill of materials of every image next to its notes', () => {
    expect(runsOf(jobs.images)).toContain('describe-image.ts sbom "$IMAGE" files >"$IMAGE.cdx.json"')
    expect(stepOf(jobs.images, 'actions/upload-artifact').with?.name).toMatch(/^sbom-/)
    expect(stepOf(jobs.notes, 'actions/download-artifact').with).toMatchObject({ pattern: 'sbom-*', path: 'sboms' })
    expect(jobs.notes.needs).toContain('images')
    expect(runsOf(jobs.notes)).toContain('sboms/*.cdx.json')
  })
})

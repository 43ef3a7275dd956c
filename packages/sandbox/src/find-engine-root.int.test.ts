import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitingLibrary } from './bwrap-arguments.ts'
import { findEngineRoot } from './find-engine-root.ts'

/** The time that the image build gives every file. */
const imageTime = new Date('2026-01-01T00:00:00Z')

describe('the age of an engine root', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lathe-root-'))
    await mkdir(join(root, dirname(waitingLibrary)), { recursive: true })
    await writeFile(join(root, waitingLibrary), '')
  })
  afterEach(() => rm(root, { recursive: true }))

  /** When a root with this manifest was up to date. */
  async function timeOf(manifest: object): Promise<Date> {
    const file = join(root, 'manifest.json')
    await writeFile(file, JSON.stringify(manifest))
    await utimes(file, imageTime, imageTime)
    const found = await findEngineRoot(root)
    expect(found).toMatchObject({ path: root, manifest })
    return found.upToDateAt
  }

  it('is that of its packages, whatever time the image build gave its files', async () => {
    const upToDateAt = '2026-11-09T21:44:33.000Z'
    expect(await timeOf({ name: 'a', upToDateAt })).toEqual(new Date(upToDateAt))
  })

  it('is that of the manifest if the manifest is an older one or has no date', async () => {
    for (const manifest of [{ name: 'a' }, { name: 'a', upToDateAt: 'today' }])
      expect(await timeOf(manifest)).toEqual(imageTime)
  })
})

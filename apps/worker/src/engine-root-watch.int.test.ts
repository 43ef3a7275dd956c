import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMetrics } from '@lathe/runtime'
import { describe, expect, it, vi } from 'vitest'
import { watchEngineRoot } from './engine-root-watch.ts'

const dayMs = 86_400_000
const upToDateAt = new Date()

describe('S6: known vulnerabilities of an engine root', () => {
  const log = { warn() {} }
  const name = 'lathe_engine_root_vulnerabilities{'

  /** The metrics of a worker for a root with this report next to it, or in a file of its own. */
  async function shownOf(report: string | undefined, ownFile?: string): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'lathe-root-'))
    const path = join(folder, 'root')
    const file = ownFile && join(folder, ownFile)
    if (report !== undefined) await writeFile(file ?? `${path}.vulnerabilities.json`, report)
    const metrics = createMetrics()
    const read = vi.spyOn(metrics.engineRootVulnerabilities, 'reset')
    using _watch = watchEngineRoot({ name: 'root-1', path, report: file, upToDateAt, maxDays: 0, log, metrics })
    await vi.waitFor(() => expect(read).toHaveBeenCalled())
    const shown = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name))
    await rm(folder, { recursive: true })
    return shown
  }

  const counts = [
    { urgency: 'high', fix: 'available', count: 3 },
    { urgency: 'low', fix: 'none', count: 0 },
  ]

  it('are shown if there is a recent scan', async () => {
    const checkedAt = new Date(upToDateAt.getTime() - dayMs).toISOString()
    expect(await shownOf(JSON.stringify({ checkedAt, counts }))).toEqual([
      `${name}urgency="high",fix="available"} 3`,
      `${name}urgency="low",fix="none"} 0`,
    ])
  })

  it('are read from a configured file for read-only roots', async () => {
    const report = { checkedAt: upToDateAt.toISOString(), counts }
    expect(await shownOf(JSON.stringify({ ...report, root: 'root-1' }), 'report.json')).toHaveLength(2)
    expect(await shownOf(JSON.stringify({ ...report, root: 'root-0' }), 'report.json')).toEqual([])
  })

  it('are absent, not 0, if the scan is missing, old or broken', async () => {
    const checkedAt = new Date(upToDateAt.getTime() - 8 * dayMs).toISOString()
    for (const report of [undefined, JSON.stringify({ checkedAt, counts }), '{"counts":', '{"checkedAt":1}'])
      expect(await shownOf(report)).toEqual([])
  })
})

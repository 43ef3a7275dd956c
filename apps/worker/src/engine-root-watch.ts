import { readFile } from 'node:fs/promises'
import type { Logger, Metrics } from '@lathe/runtime'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const dayMs = 86_400_000
// A report that is a week old says little about today.
const reportValidMs = 7 * dayMs

/** The report that scripts/engine-vulnerabilities.ts writes. */
const VulnerabilityReport = Type.Object({
  // Releases before roots in images could be checked did not name it.
  root: Type.Optional(Type.String()),
  checkedAt: Type.String(),
  counts: Type.Array(Type.Object({ urgency: Type.String(), fix: Type.String(), count: Type.Integer() })),
})

export interface EngineRootWatchOptions {
  readonly name: string
  readonly path: string
  /** The report of vulnerabilities; undefined: next to the root. */
  readonly report?: string | undefined
  /** The age of the root counts from here. */
  readonly upToDateAt: Date
  /** A root older than this causes a warning. 0: never. */
  readonly maxDays: number
  readonly log: Pick<Logger, 'warn'>
  readonly metrics: Pick<Metrics, 'engineRootVulnerabilities'>
}

/**
 * Warns about an old engine root, at once and every day: its converters lack security updates. Every hour it updates
 * the metrics of known vulnerabilities. Without a recent report about this root there are no numbers, instead of zeros.
 */
export function watchEngineRoot(options: EngineRootWatchOptions): Disposable {
  const { name, path, upToDateAt, maxDays, log, metrics } = options
  const file = options.report ?? `${path}.vulnerabilities.json`

  function lookAtAge(): void {
    const days = Math.floor((Date.now() - upToDateAt.getTime()) / dayMs)
    if (maxDays > 0 && days > maxDays)
      log.warn(
        { days, upToDateAt },
        'engine root is old and lacks security updates: run scripts/engine-root.sh --refresh',
      )
  }

  async function lookAtReport(): Promise<void> {
    const report = await readReport(file)
    metrics.engineRootVulnerabilities.reset()
    if (report === undefined || Date.now() - Date.parse(report.checkedAt) > reportValidMs) return
    // A file of its own stays where it is when the image is upgraded.
    if (report.root !== undefined && report.root !== name) return
    for (const { urgency, fix, count } of report.counts) metrics.engineRootVulnerabilities.set({ urgency, fix }, count)
  }

  lookAtAge()
  void lookAtReport()
  const timers = [setInterval(lookAtAge, dayMs), setInterval(() => void lookAtReport(), dayMs / 24)]
  for (const timer of timers) timer.unref()
  return { [Symbol.dispose]: () => timers.forEach((timer) => void clearInterval(timer)) }
}

async function readReport(file: string): Promise<Static<typeof VulnerabilityReport> | undefined> {
  try {
    return Value.Parse(VulnerabilityReport, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // There is no report, or the file is something else.
    return undefined
  }
}

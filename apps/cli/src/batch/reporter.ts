/** The result of a file. */
export type Outcome =
  | {
      readonly status: 'done'
      readonly file: string
      readonly outputs: readonly string[]
      readonly bytes: number
      readonly ms: number
    }
  | { readonly status: 'skipped'; readonly file: string; readonly outputs: readonly string[] }
  | { readonly status: 'planned'; readonly file: string; readonly outputs: readonly string[] }
  | { readonly status: 'failed'; readonly file: string; readonly message: string; readonly reason?: string }

/** The progress of a file from 0 to 1, and its current step. */
export interface Step {
  readonly file: string
  readonly share: number
  readonly doing: 'sending' | 'waiting' | 'converting' | 'saving'
}

/** Shows the progress of a batch. */
export interface Reporter {
  start(total: number): void
  step(step: Step): void
  ended(outcome: Outcome): void
  finish(outcomes: Tally): void
}

export interface Tally {
  readonly done: number
  readonly skipped: number
  readonly planned: number
  readonly failed: number
}

export function createReporter({ json }: { readonly json?: boolean }): Reporter {
  if (json) return jsonLines()
  return process.stderr.isTTY ? bars(process.stderr) : plainLines()
}

/** Prints one JSON object per line, for programs. */
function jsonLines(): Reporter {
  return {
    start() {},
    step() {},
    ended: (outcome) => void process.stdout.write(`${JSON.stringify(outcome)}\n`),
    finish() {},
  }
}

/** Prints one line per file, for logs. The written paths go to stdout, for pipes. */
function plainLines(): Reporter {
  return {
    start() {},
    step() {},
    ended(outcome) {
      process.stderr.write(`${lineOf(outcome)}\n`)
      if (outcome.status === 'done') writePaths(outcome.outputs)
    },
    finish: (tally) => void process.stderr.write(`${summaryOf(tally)}\n`),
  }
}

function writePaths(paths: readonly string[]): void {
  if (!process.stdout.isTTY) process.stdout.write(paths.map((path) => `${path}\n`).join(''))
}

const barWidth = 20
const everyMs = 100
const mostBars = 8

/** Draws a bar for each file in progress and one for all, in place. */
function bars(out: NodeJS.WriteStream): Reporter {
  const steps = new Map<string, Step>()
  const startedAt = Date.now()
  let [total, ended, drawn, drawnAt] = [0, 0, 0, 0]

  function clear(): void {
    if (drawn > 0) out.write(`\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }

  function draw(): void {
    const width = (out.columns || 80) - 1
    const rows = [...steps.values()]
      .slice(0, mostBars)
      .map(({ file, share, doing }) => `${barOf(share)} ${doing} ${shown(file)}`)
    const share = total === 0 ? 1 : (ended + [...steps.values()].reduce((sum, step) => sum + step.share, 0)) / total
    const left =
      share > 0.02 && ended < total ? `, ${duration(((Date.now() - startedAt) * (1 - share)) / share)} left` : ''
    const lines = [...rows, `${barOf(share)} ${ended} of ${total} files${left}`].map((line) => line.slice(0, width))
    out.write(`${lines.join('\n')}\n`)
    drawn = lines.length
    drawnAt = Date.now()
  }

  return {
    start(files) {
      total = files
      draw()
    },
    step(step) {
      steps.set(step.file, step)
      if (Date.now() - drawnAt < everyMs) return
      clear()
      draw()
    },
    ended(outcome) {
      steps.delete(outcome.file)
      ended += 1
      clear()
      out.write(`${lineOf(outcome)}\n`)
      if (outcome.status === 'done') writePaths(outcome.outputs)
      draw()
    },
    finish(tally) {
      clear()
      out.write(`${summaryOf(tally)}\n`)
    },
  }
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.round(share * 100)).padStart(3)}%`
}

function lineOf(outcome: Outcome): string {
  const file = shown(outcome.file)
  if (outcome.status === 'failed') return `failed   ${file}: ${shown(outcome.message)}`
  const outputs = outcome.outputs.map(shown)
  const to = outputs.length > 3 ? `${outputs.length} files` : outputs.join(', ')
  if (outcome.status === 'done') return `done     ${file} → ${to} (${sizeOf(outcome.bytes)}, ${duration(outcome.ms)})`
  return `${outcome.status.padEnd(8)} ${file} → ${to}`
}

function summaryOf({ done, skipped, planned, failed }: Tally): string {
  const parts = [
    ...(planned > 0 ? [`${planned} would be converted`] : [`${done} done`]),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  return parts.join(', ')
}

/** Replaces control characters: names are untrusted, and a terminal must not interpret them. */
export function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{fffd}')
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const unit = bytes < 1e6 ? 'kB' : bytes < 1e9 ? 'MB' : 'GB'
  return `${(bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit]).toFixed(1)} ${unit}`
}

export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

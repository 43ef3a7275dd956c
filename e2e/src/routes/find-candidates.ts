import { type Engine, engines } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { mayTakeSteps } from '@lathe/operations'

/** Formats that keep enough for a next step. */
const between = ['docx', 'odt', 'html', 'pdf', 'xlsx', 'csv', 'json', 'png', 'svg', 'md'] as const

/** Documents with pages become several images, but a step must end in one file. */
const pictures: ReadonlySet<string> = new Set(['png', 'svg'])

const direct = engines.filter(({ id }) => id !== 'routes')

/** The engine that converts a pair in one step. */
export function directEngine(from: string, to: string): Engine | undefined {
  return direct.find(({ abilities }) =>
    abilities.some((one) => mayTakeSteps(one.operation) && one.from === from && one.to === to),
  )
}

/** The routes from one format to another, as the formats in between: one format, or two if there is no such route. */
export function findCandidates(from: string, to: string): readonly (readonly string[])[] {
  const two = between.filter((via) => via !== from && via !== to && isPossible([from, via, to])).map((via) => [via])
  if (two.length > 0) return two
  return between.flatMap((one) =>
    between
      .filter((other) => new Set([from, one, other, to]).size === 4 && isPossible([from, one, other, to]))
      .map((other) => [one, other]),
  )
}

function isPossible(formats: readonly string[]): boolean {
  const used = formats.slice(1).map((to, n) => directEngine(formats[n] ?? '', to)?.id)
  const isSplit = formats.slice(1, -1).some((via, n) => pictures.has(via) && hasPages(formats[n] ?? ''))
  if (isSplit) return false
  return !used.includes(undefined)
}

const hasPages = (format: string) =>
  findFormat(format)?.family !== 'image' || directEngine(format, 'pdf')?.id === 'office'

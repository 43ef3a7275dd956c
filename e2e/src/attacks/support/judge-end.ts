import { failures } from '@lathe/domain'
import type { SafeEnd, Variant } from './attack.ts'
import type { VariantEnd } from './run-variant.ts'

const maxMessageBytes = 512

// Error messages and paths of programs: owners of tasks must not see them.
const engineWords =
  /\/job\b|\/tmp\/|\/var\/|\/usr\/|\bin-\d+\.|\bout-\d+\.|Traceback|Exception|\bat [\w./:]+:\d+|\bstderr\b|ffmpeg version|vips|GPL Ghostscript|Error:|errno|\n/

const refusals: ReadonlySet<string> = new Set(['unsupported', 'input_damaged', 'input_encrypted', 'no_files'])
const limitations: ReadonlySet<string> = new Set([...refusals, 'limit_exceeded', 'engine_timeout'])
// A failing converter is normal; a failure of our own code is not.
const harmless: ReadonlySet<string> = new Set([...limitations, 'engine_crashed', 'input_quarantined', 'output_missing'])

const allowed: Readonly<Record<SafeEnd, ReadonlySet<string>>> = {
  refused: refusals,
  limited: limitations,
  harmless,
  completed: new Set(),
}

/** What is wrong with the end of a variant, judged by its response. */
export function judgeEnd(variant: Variant, end: VariantEnd, withinMs: number): readonly string[] {
  const { end: expected = 'harmless' } = variant
  const late = end.tookMs > withinMs ? [`took ${end.tookMs} ms`] : []
  if (end.kind === 'refused') return [...late, ...judgeRefusal(expected, end)]
  const { status, result } = end.task
  if (status === 'completed') {
    const isFine = expected === 'harmless' || expected === 'completed'
    return [...late, ...(isFine ? [] : [`completed, although it should have been ${expected}`])]
  }
  if (status !== 'failed') return [...late, `ended as ${status}`]
  const { reason = '', msg = '' } = result
  return [
    ...late,
    ...(allowed[expected].has(reason) ? [] : [`failed with ${reason}, although expected to end ${expected}: ${msg}`]),
    ...(reason in failures ? [] : [`${reason} is no known reason`]),
    ...(variant.says?.test(msg) === false ? [`says: ${msg}`] : []),
    ...judgeMessage(msg),
  ]
}

function judgeRefusal(expected: SafeEnd, { status, body }: VariantEnd & { kind: 'refused' }): readonly string[] {
  const isRight = status >= 400 && status < 500 && expected !== 'completed'
  const message = [body.msg, ...(body.errors ?? []).map(({ msg }) => msg)].join(' ')
  return [
    ...(isRight ? [] : [`was answered with ${status}: ${message}`]),
    ...(/Traceback|\/var\//.test(message) ? [message] : []),
  ]
}

function judgeMessage(msg: string): readonly string[] {
  return [
    ...(Buffer.byteLength(msg) > maxMessageBytes ? [`its message has ${Buffer.byteLength(msg)} bytes`] : []),
    ...(engineWords.test(msg) ? [`its message holds words of an engine: ${msg}`] : []),
  ]
}

import { isFailure } from '@lathe/domain'
import type { Ability, Engine, JsonObject } from '../engine.ts'
import { checkOneSource, type OptionsOf } from '../plan-options.ts'
import { browserStepLimits, pageLimits } from '../printing/limits.ts'
import { pictureOptions, printOptions, quality as qualityOption } from '../printing/options.ts'
import { toPrint } from '../printing/print.ts'
import { browserTool } from './tool.ts'

const abilities = [
  { operation: 'convert', from: 'mhtml', to: 'pdf', options: printOptions },
  { operation: 'convert', from: 'mhtml', to: 'png', options: pictureOptions },
  { operation: 'convert', from: 'mhtml', to: 'jpg', options: [...pictureOptions, qualityOption] },
  { operation: 'convert', from: 'mhtml', to: 'html', options: [] },
] satisfies readonly Ability[]

type Options = OptionsOf<typeof abilities>

/** Renders stored web pages with Chromium, each in its own browser and sandbox, without network. */
export const browser: Engine = {
  id: 'browser',
  family: 'browser',
  tools: [browserTool],
  cost: { startS: 1.5, perMiBS: 1 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { to } = request
    const file = `out-0.${to}`
    const asked = { ...toRequest(to, checked.effective), input: checked.source.file, output: file }
    const step = {
      kind: 'call',
      runner: 'browser',
      request: asked,
      outputs: [file],
      limits: browserStepLimits,
    } as const
    const outputs = [{ file, format: to, source: 0 }]
    return { kind: 'plan', steps: [step], outputs, warnings: checked.warnings }
  },
}

function toRequest(to: string, options: Options): JsonObject {
  if (to === 'html') return { op: 'html', maxBytes: pageLimits.htmlBytes }
  const { loadMs } = pageLimits
  return to === 'pdf'
    ? { op: 'pdf', loadMs, ...toPrint(options) }
    : { op: 'picture', loadMs, ...toPicture(to, options) }
}

function toPicture(to: string, options: Options): JsonObject {
  const { viewport_width = 1280, viewport_height = 800, full_page = true, media = 'screen', quality = 90 } = options
  return {
    viewport: { width: viewport_width, height: viewport_height },
    media,
    format: to === 'jpg' ? 'jpeg' : 'png',
    ...(to === 'jpg' && { quality }),
    isWhole: full_page,
    maxHeight: pageLimits.height,
  }
}

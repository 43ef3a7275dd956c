import { isFailure } from '@lathe/domain'
import { abilitiesOf } from '../abilities-of.ts'
import type { Ability, Engine, PlanRequest } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { boxOptions, pageOption, thumbnailQuality, withUsual } from './thumbnail-options.ts'

const targets: ReadonlySet<string> = new Set(['jpg', 'png', 'webp'])

/** The same engine, which also makes thumbnails of every format that it converts to images of a given size. */
export function withThumbnails(engine: Engine): Engine {
  const own = abilitiesOf(engine.abilities, 'convert').filter(isImage)
  const sets = new Map<readonly OptionDescriptor[], readonly OptionDescriptor[]>()
  const abilities = own.map(({ from, to, options }): Ability => {
    const known = sets.get(options) ?? toThumbnailOptions(options)
    sets.set(options, known)
    return { operation: 'thumbnail', from, to, options: known }
  })
  return {
    ...engine,
    abilities: [...engine.abilities, ...abilities],
    plan(request) {
      if (request.operation !== 'thumbnail') return engine.plan(request)
      const checked = checkOneSource(abilities, request)
      if (isFailure(checked)) return checked
      const ability = own.find(({ from, to }) => from === checked.source.format && to === request.to)
      const plan = engine.plan(
        toConversion(request, checked.effective as PlanRequest['options'], ability?.options ?? []),
      )
      return isFailure(plan) ? plan : { ...plan, warnings: [...checked.warnings, ...plan.warnings] }
    },
  }
}

function isImage({ to, options }: Ability): boolean {
  return targets.has(to) && options.some(({ name }) => name === 'width')
}

function toThumbnailOptions(options: readonly OptionDescriptor[]): readonly OptionDescriptor[] {
  const find = (...names: string[]) => options.find(({ name }) => names.includes(name))
  const password = find('password')
  return [
    ...boxOptions,
    ...(find('quality') ? [thumbnailQuality] : []),
    ...(find('pages', 'page') ? [pageOption] : []),
    ...(password ? [password] : []),
  ]
}

/** The request for a conversion to an image of that size, with those thumbnail options that the conversion has. */
function toConversion(
  request: PlanRequest,
  effective: PlanRequest['options'],
  own: readonly OptionDescriptor[],
): PlanRequest {
  const { page = 1, ...rest } = withUsual(effective)
  const wanted: PlanRequest['options'] = { ...rest, page, pages: String(page) }
  const known = Object.entries(wanted).filter(([given]) => own.some(({ name }) => name === given))
  return { ...request, operation: 'convert', options: Object.fromEntries(known) }
}

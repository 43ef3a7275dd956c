import { describe, expect, it } from 'vitest'
import type { Ability } from '../engine.ts'
import { engines, routes } from '../engines.ts'
import { findAbility, findEngine } from '../registry.ts'
import { walkPlans } from '../testing/walk-plans.ts'
import { lossOf } from './losses.ts'
import { familyOfRoute, indexSteps, maxRouteSteps } from './route.ts'
import { createRoutes, formatsOfRoute } from './routes.ts'

const direct = engines.filter(({ id }) => !['routes', 'thumbnail-routes'].includes(id))
const findStep = indexSteps(direct)
const routeOf = ({ from, to }: Pick<Ability, 'from' | 'to'>) => {
  const route = routes.find(from, to)
  if (!route) throw new Error(`no route from ${from} to ${to}`)
  return route
}

describe('routes', () => {
  it('are offered only where no engine converts directly [D-http-78]', () => {
    const needless = routes.abilities.filter(({ from, to }) => findStep(from, to))
    expect(needless).toEqual([])
    expect(findEngine('convert', 'docx', 'md')?.id).toBe('pandoc')
    expect(findEngine('convert', 'doc', 'md')?.id).toBe('routes')
  })

  it('have two or three steps, and pass no format twice', () => {
    for (const ability of routes.abilities) {
      const formats = formatsOfRoute(routeOf(ability))
      expect(formats.length - 1).toBeGreaterThan(1)
      expect(formats.length - 1).toBeLessThanOrEqual(maxRouteSteps)
      expect(new Set(formats).size).toBe(formats.length)
    }
  })

  it('pass the outputs of each step to the next one, in a folder with nothing else [D-http-78]', () => {
    const faults = routes.abilities.flatMap((ability) => {
      const formats = formatsOfRoute(routeOf(ability))
      const { plans, failure } = walkPlans(ability, {})
      const handed = plans.flatMap(({ takesOver }) => takesOver ?? [])
      const between = handed.map(({ as }) => as.split('.').at(-1))
      const last = plans.at(-1)?.outputs[0]?.format
      const isWhole = failure === undefined && [formats[0], ...between, last].join() === formats.join()
      return isWhole && handed.every(({ as }) => /^in-[1-9]\.\w+$/.test(as))
        ? []
        : [`${formats.join(' ')}: ${failure?.code}`]
    })
    expect(faults).toEqual([])
  })

  it('continue with the first page where a step makes several, and say so', () => {
    const ability = findAbility('convert', 'eps', 'bmp')
    if (!ability) throw new Error('eps cannot become bmp')
    // `walkPlans` returns several pages for every output that may have several.
    const plan = walkPlans(ability, {}).plans.find(({ takesOver }) => takesOver)
    expect(plan?.takesOver?.file).toMatch(/^out-0-0*1\./)
    expect(plan?.warnings).toEqual([expect.stringContaining('Only the first page')])
  })

  it('warn that it took several steps', () => {
    const ability = findAbility('convert', 'doc', 'md')
    if (!ability) throw new Error('doc cannot become md')
    const [first] = walkPlans(ability, {}).plans
    expect(first?.warnings[0]).toContain('No engine converts doc to md directly. It was done in 2 steps, doc to ')
  })

  it('take the options of the last step, and what the first needs to read the file', () => {
    const names = (from: string, to: string) => findAbility('convert', from, to)?.options.map(({ name }) => name) ?? []
    expect(names('doc', 'webp')).toEqual(expect.arrayContaining(['pages', 'dpi', 'quality', 'password']))
    expect(names('doc', 'webp')).not.toContain('output_password')
    const ability = findAbility('convert', 'doc', 'webp')
    const { plans } = walkPlans(ability as Ability, { pages: '2', password: 'open sesame' })
    const told = JSON.stringify(plans.flatMap(({ steps }) => steps))
    // Only the last step selects the page: the step before it would leave a document of one page.
    expect(told.match(/"pages?":/g)?.length ?? 0).toBeLessThan(2)
    expect(told.match(/open sesame/g)).toHaveLength(1)
  })

  it('choose themselves how a table between the steps is written', () => {
    const names = (from: string, to: string) => findAbility('convert', from, to)?.options.map(({ name }) => name) ?? []
    expect(names('xlsx', 'json')).toContain('sheet')
    expect(names('xlsx', 'json')).not.toContain('separator')
    expect(names('xlsx', 'tsv')).not.toContain('quote_text')
  })

  it('belong to workers that have the engines of all steps', () => {
    const stepsOf = (formats: string) =>
      formats.split(' ').flatMap((to, n, all) => (n === 0 ? [] : [findStep(all[n - 1] ?? '', to)]))
    const family = (formats: string) => familyOfRoute(stepsOf(formats).filter((step) => step !== undefined))
    expect(family('doc pdf webp')).toBe('office')
    expect(family('doc docx md')).toBe('route')
  })

  it('disappear if no engine supports a step any more, and if a direct conversion appears', () => {
    const made = createRoutes(direct, [
      ['doc docx md', 1, 1],
      ['doc nothing md', 1, 1],
      ['docx odt md', 1, 1],
    ])
    expect(made.abilities.map(({ from, to }) => `${from} ${to}`)).toEqual(['doc md'])
  })
})

describe('thumbnails in several steps', () => {
  const own = engines.find(({ id }) => id === 'thumbnail-routes')?.abilities ?? []

  it('are offered only of formats whose engines make none', () => {
    const others = direct.flatMap(({ abilities }) => abilities)
    const formats = new Set(others.filter(({ operation }) => operation === 'thumbnail').map(({ from }) => from))
    expect(own.filter(({ from }) => formats.has(from))).toEqual([])
    expect(own.map(({ from }) => from)).toEqual(expect.arrayContaining(['epub', 'fb2', 'mobi', 'md', 'eml', 'dcm']))
  })

  it('pass a PDF or an image to the second step', () => {
    for (const ability of own) {
      const { plans, failure } = walkPlans(ability, {})
      const handed = plans.flatMap(({ takesOver }) => takesOver?.as ?? [])
      expect([ability.from, failure, handed]).toEqual([
        ability.from,
        undefined,
        [expect.stringMatching(/^in-1\.(pdf|png)$/)],
      ])
      expect(plans.at(-1)?.outputs[0]?.format).toBe(ability.to)
    }
  })
})

it('reports what steps lose', () => {
  expect(lossOf('pdf', 'docx')).toContain('read back from drawn pages')
  expect(lossOf('docx', 'md')).toContain('fonts, colours and page layout')
  expect(lossOf('png', 'jpg')).toBeUndefined()
})

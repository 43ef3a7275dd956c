import { describe, expect, it } from 'vitest'

interface Use {
  readonly href: string
  readonly size?: { readonly width: number; readonly height: number }
  readonly style?: string
}

// A script of the runner, which has no types.
const script = new URL('./open-document-uses.mjs', import.meta.url).href
const { usesInOpenDocument, isClipped } = (await import(script)) as {
  usesInOpenDocument(xml: string): { readonly uses: readonly Use[]; readonly styles: ReadonlyMap<string, unknown> }
  isClipped(styles: ReadonlyMap<string, unknown>, name?: string): boolean
}

const image = '<draw:image xlink:href="Pictures/1.png"/>'
const style = (name: string, inside: string, more = '') =>
  `<style:style style:name="${name}" ${more}><style:graphic-properties ${inside}/></style:style>`

describe('usesInOpenDocument', () => {
  it('measures an image by its frame, in any unit', () => {
    const { uses } = usesInOpenDocument(
      `<x><draw:frame draw:style-name="a" svg:width="2.54cm" svg:height="144pt">${image}</draw:frame></x>`,
    )
    expect(uses).toEqual([{ href: 'Pictures/1.png', size: { width: 1, height: 2 }, style: 'a' }])
  })

  it.each([
    ['a fill', '<draw:fill-image xlink:href="Pictures/1.png"/>'],
    ['a frame without a size', `<draw:frame style:rel-width="50%">${image}</draw:frame>`],
    [
      'a frame that is scaled',
      `<draw:frame svg:width="1in" svg:height="1in" draw:transform="scale(2 2)">${image}</draw:frame>`,
    ],
    ['an image after its frame', `<draw:frame svg:width="1in" svg:height="1in"></draw:frame>${image}`],
  ])('reports that it does not know the size of %s', (_, xml) => {
    expect(usesInOpenDocument(`<x>${xml}</x>`).uses).toMatchObject([{ href: 'Pictures/1.png', size: undefined }])
  })
})

describe('isClipped', () => {
  const { styles } = usesInOpenDocument(
    `<x>${style('cut', 'fo:clip="rect(0cm, 1cm, 0cm, 0cm)"')}${style('whole', 'fo:clip="rect(0cm, 0cm, 0cm, 0cm)"')}${style('heir', '', 'style:parent-style-name="cut"')}${style('loop', '', 'style:parent-style-name="loop"')}</x>`,
  )

  it.each([
    ['cut', true],
    ['heir', true],
    ['whole', false],
    ['loop', false],
    ['unknown', false],
  ])('of the style %s is %s', (name, expected) => {
    expect(isClipped(styles, name)).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'

interface Use {
  readonly id: string
  readonly size?: { readonly width: number; readonly height: number }
}

// A script of the runner, which has no types.
const script = new URL('./open-xml-uses.mjs', import.meta.url).href
const { usesInOpenXml, slideSizeOf } = (await import(script)) as {
  usesInOpenXml(xml: string, ids: ReadonlySet<string>, slide?: Use['size']): readonly Use[]
  slideSizeOf(xml: string): Use['size']
}

const inch = 914_400
const ids = new Set(['rId1'])
const ext = (width: number, height: number) => `<a:ext cx="${width * inch}" cy="${height * inch}"/>`
const shape = (width: number, height: number) => `<p:spPr><a:xfrm>${ext(width, height)}</a:xfrm></p:spPr>`
const fill = (inside = '', id = 'rId1') =>
  `<p:blipFill><a:blip r:embed="${id}"><a:extLst><a:ext uri="{1}"/></a:extLst></a:blip>${inside}</p:blipFill>`
const pic = (width: number, height: number, inside = '') =>
  `<p:pic>${fill(inside)}${width > 0 ? shape(width, height) : '<p:spPr/>'}</p:pic>`

const sizeOf = (xml: string) => usesInOpenXml(`<x>${xml}</x>`, ids, { width: 10, height: 7.5 })

describe('usesInOpenXml', () => {
  it.each([
    ['a picture', pic(4, 3), { width: 4, height: 3 }],
    ['a cropped picture, as large as all of it would be', pic(4, 3, '<a:srcRect l="50000"/>'), { width: 8, height: 3 }],
    ['a crop in percent', pic(4, 3, '<a:srcRect r="25%"  b="50%"/>'), { width: 16 / 3, height: 6 }],
    ['a fill beyond its shape', pic(4, 3, '<a:stretch><a:fillRect l="-50000"/></a:stretch>'), { width: 6, height: 3 }],
    [
      'a picture in a group drawn to another scale',
      `<p:grpSp><p:grpSpPr><a:xfrm>${ext(2, 2)}<a:chExt cx="${4 * inch}" cy="${inch}"/></a:xfrm></p:grpSpPr>${pic(4, 3)}</p:grpSp>`,
      { width: 2, height: 6 },
    ],
    [
      'a picture whose frame is larger than it says',
      `<wp:inline><wp:extent cx="${5 * inch}" cy="${inch}"/>${pic(4, 3)}</wp:inline>`,
      { width: 5, height: 3 },
    ],
    ['the background of a slide', `<p:bg><p:bgPr>${fill()}</p:bgPr></p:bg>`, { width: 10, height: 7.5 }],
    [
      'a picture of the older markup',
      '<v:shape style="position:absolute;width:72pt;height:5.08cm"><v:imagedata r:id="rId1"/></v:shape>',
      { width: 1, height: 2 },
    ],
  ])('measures %s', (_, xml, size) => {
    expect(sizeOf(xml)).toHaveLength(1)
    expect(sizeOf(xml)[0]?.size?.width).toBeCloseTo(size.width)
    expect(sizeOf(xml)[0]?.size?.height).toBeCloseTo(size.height)
  })

  it.each([
    ['a tile, which is as large as the image itself says', pic(4, 3, '<a:tile/>')],
    ['a placeholder without a size', pic(0, 0)],
    ['a group without a size', `<p:grpSp><p:grpSpPr/>${pic(4, 3)}</p:grpSp>`],
    ['a bullet', '<a:buBlip><a:blip r:embed="rId1"/></a:buBlip>'],
    ['a fill of the older markup', '<v:rect style="width:72pt;height:72pt"><v:fill o:relid="rId1"/></v:rect>'],
    [
      'a group of the older markup',
      '<v:group><v:shape style="width:100;height:100"><v:imagedata r:id="rId1"/></v:shape></v:group>',
    ],
    ['an element it has never seen', '<z:strange z:id="rId1"/>'],
  ])('reports that it does not know the size of %s', (_, xml) => {
    expect(sizeOf(xml)).toEqual([{ id: 'rId1', size: undefined }])
  })

  it('reports every use of an image', () => {
    expect(sizeOf(pic(1, 1) + pic(3, 2))).toHaveLength(2)
  })

  it('does not take other attributes for references', () => {
    expect(sizeOf('<w:bookmark w:id="rId2"/><w:t id="rId1">rId1</w:t><!-- <a:blip r:embed="rId1"/> -->')).toEqual([])
  })

  it.each([
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><x/>'],
    ['tags that do not nest', '<x><y></x></y>'],
    ['a tag without an end', '<x><y '],
    ['a comment without an end', '<x><!-- '],
    ['a thousand levels', '<a>'.repeat(1100)],
  ])('gives up on %s', (_, xml) => {
    expect(() => usesInOpenXml(xml, ids)).toThrow()
  })

  it('takes time in proportion to length, whatever the tag', () => {
    const spent = cpuMs(() => {
      usesInOpenXml(`<x>${'<a '.repeat(1)}${'b'.repeat(2_000_000)} r:id="rId1"/></x>`, ids)
      usesInOpenXml(`<x><a ${'r:id="rId1" '.repeat(200_000)}/></x>`, ids)
    })
    expect(spent).toBeLessThan(5000)
  })
})

describe('slideSizeOf', () => {
  it('reads the size of slides, or nothing', () => {
    expect(slideSizeOf(`<p:presentation><p:sldSz cx="${10 * inch}" cy="${5 * inch}"/></p:presentation>`)).toEqual({
      width: 10,
      height: 5,
    })
    expect(slideSizeOf('<p:presentation/>')).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'

// A script of the runner, which has no types.
const script = new URL('./svg-units.mjs', import.meta.url).href
const { withPixelLengths } = (await import(script)) as { withPixelLengths(text: string): string }

describe('the lengths of a drawing', () => {
  it.each([
    ['<svg width="4in" height="3in">', '<svg width="384px" height="288px">'],
    ["<svg height='25.4mm' width='2.54cm'>", "<svg height='96px' width='96px'>"],
    ['<svg:svg width="72pt" height="6pc"/>', '<svg:svg width="96px" height="96px"/>'],
    ['<?xml version="1.0"?><svg><rect x = "-.5in"/></svg>', '<?xml version="1.0"?><svg><rect x = "-48px"/></svg>'],
    ['<text x="1in, 2in 3pt">', '<text x="96px, 192px 4px">'],
    ['<g style="font-size:12pt;stroke-width: 1.5e1mm">', '<g style="font-size:16px;stroke-width: 56.693px">'],
    ['<g style="font:bold 12pt/18pt Carlito">', '<g style="font:bold 16px/24px Carlito">'],
    ['<style>text{font-size:9pt}</style>', '<style>text{font-size:12px}</style>'],
    [
      '<style type="text/css"><![CDATA[a > b{stroke-width:1in !important;}]]></style>',
      '<style type="text/css"><![CDATA[a > b{stroke-width:96px !important;}]]></style>',
    ],
  ])('are given in pixels: %s', (given, expected) => {
    expect(withPixelLengths(given)).toBe(expected)
  })

  it.each([
    '<svg width="10" height="10px">',
    '<svg width="100%">',
    '<rect id="12pt" class="1in" fill="url(#12pt)"/>',
    '<text>x="4in", style: 12pt;</text>',
    '<!-- <rect x="1in"/> --><svg/>',
    `<text style="font-family:'Letter 12ptx'">`,
    '<style/><text> 12pt </text>',
    '<html>',
    '<svg width="x',
  ])('stay as they are: %s', (text) => expect(withPixelLengths(text)).toBe(text))

  it('are found in the time it takes to read them, whatever quotes are open', () => {
    const text = `<svg>${'<a "'.repeat(500_000)}`
    expect(withPixelLengths(text)).toBe(text)
    const spaces = `<svg ${' x'.repeat(500_000)}>`
    expect(withPixelLengths(spaces)).toBe(spaces)
  })
})

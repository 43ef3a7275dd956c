import { describe, expect, it } from 'vitest'

// A script of the runner, without types of its own.
const script = new URL('./svg-units.mjs', import.meta.url).href
const { withPixelSize } = (await import(script)) as { withPixelSize(text: string): string }

describe('the size of a drawing', () => {
  it.each([
    ['<svg width="4in" height="3in">', '<svg width="384" height="288">'],
    ["<svg height='25.4mm' width='2.54cm'>", "<svg height='96' width='96'>"],
    ['<svg:svg width="72pt" height="6pc"/>', '<svg:svg width="96" height="96"/>'],
    [
      '<?xml version="1.0"?><svg width="1in"><rect width="1in"/></svg>',
      '<?xml version="1.0"?><svg width="96"><rect width="1in"/></svg>',
    ],
  ])('is given in pixels: %s', (given, expected) => {
    expect(withPixelSize(given)).toBe(expected)
  })

  it.each([
    '<svg width="10" height="10px">',
    '<svg width="100%">',
    '<svg stroke-width="1in">',
    '<html>',
    '<svg width="x',
  ])('stays as it is: %s', (text) => expect(withPixelSize(text)).toBe(text))
})

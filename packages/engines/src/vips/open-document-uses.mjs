// @ts-check
import { attributesOf, tagsOf } from './xml-tags.mjs'

/**
 * @typedef {import('./open-xml-uses.mjs').Extent} Extent
 * @typedef {{ isClipped: boolean, parent: string | undefined }} Style
 * @typedef {{ size: Extent | undefined, style: string | undefined }} Frame
 * @typedef {Frame & { href: string }} FrameUse
 * @typedef {{ uses: FrameUse[], styles: Map<string, Style>, frames: Frame[], style: string | undefined }} Part
 */

/** @type {Readonly<Record<string, number>>} */
const unitsPerInch = { in: 1, inch: 1, pt: 72, pc: 6, cm: 2.54, mm: 25.4, px: 96 }

/**
 * Where a part of an OpenDocument file shows images, and how large in inches; without a size where that cannot be told.
 * @param {string} xml
 * @returns {{ uses: FrameUse[], styles: Map<string, Style> }}
 */
export function usesInOpenDocument(xml) {
  /** @type {Part} */
  const part = { uses: [], styles: new Map(), frames: [], style: undefined }
  for (const tag of tagsOf(xml)) {
    if (tag.kind !== 'close') readTag(part, tag)
    else if (tag.name === 'frame') part.frames.pop()
  }
  return part
}

/** @param {Part} part @param {import('./xml-tags.mjs').Tag} tag */
function readTag(part, tag) {
  const { uses, styles, frames } = part
  if (tag.name === 'frame') {
    if (tag.kind === 'open') frames.push(frameOf(attributesOf(tag)))
  } else if (tag.name === 'style') {
    const attributes = attributesOf(tag)
    part.style = attributes.get('style:name')
    if (part.style) styles.set(part.style, { isClipped: false, parent: attributes.get('style:parent-style-name') })
  } else if (tag.name === 'graphic-properties') {
    if (part.style && isClip(attributesOf(tag).get('fo:clip'))) {
      styles.set(part.style, { isClipped: true, parent: undefined })
    }
  }
  if (!tag.text.includes('xlink:href')) return
  const href = attributesOf(tag).get('xlink:href')
  const frame = tag.name === 'image' ? frames.at(-1) : undefined
  if (href) uses.push({ href, size: frame?.size, style: frame?.style })
}

/**
 * Whether a style, or one it is derived from, shows only a part of an image.
 * @param {ReadonlyMap<string, Style>} styles
 * @param {string | undefined} name
 */
export function isClipped(styles, name) {
  let style = name === undefined ? undefined : styles.get(name)
  for (let steps = 0; style !== undefined && steps < 16; steps++) {
    if (style.isClipped) return true
    style = style.parent === undefined ? undefined : styles.get(style.parent)
  }
  return false
}

/** @param {Map<string, string>} attributes */
function frameOf(attributes) {
  const style = attributes.get('draw:style-name') ?? attributes.get('presentation:style-name')
  const [width, height] = ['svg:width', 'svg:height'].map((side) => inches(attributes.get(side)))
  // Only these may make a frame larger than it says; others turn or move it.
  const isScaled = /scale|matrix/.test(attributes.get('draw:transform') ?? '')
  return { size: width && height && !isScaled ? { width, height } : undefined, style }
}

/** @param {string | undefined} length */
function inches(length) {
  const [, number = '', unit = ''] = /^([\d.]{1,20})(in|inch|pt|pc|cm|mm|px)$/.exec(length ?? '') ?? []
  return Number(number) / (unitsPerInch[unit] ?? Number.NaN) || undefined
}

/** @param {string | undefined} clip */
function isClip(clip) {
  return clip !== undefined && clip !== 'auto' && /[1-9]/.test(clip)
}

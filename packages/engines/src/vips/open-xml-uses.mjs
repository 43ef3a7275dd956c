// @ts-check
import { attributesOf, tagsOf } from './xml-tags.mjs'

/**
 * @typedef {{ width: number, height: number }} Extent
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Inset
 * @typedef {{ id: string, crop?: Inset, inset?: Inset, isTiled?: boolean }} Blip
 * @typedef {{ id: string, size: Extent | undefined }} Use
 * @typedef {{ name: string, up: Node | undefined, ext?: Extent | undefined, inner?: Extent | undefined,
 *   extent?: Extent | undefined, blips?: Blip[], last?: Blip, style?: string | undefined }} Node
 */

const emuPerInch = 914_400
const deepest = 1000
const shapes = new Set(['pic', 'sp', 'wsp', 'cxnSp'])
const groups = new Set(['grpSp', 'wgp', 'lockedCanvas'])
const anchors = new Set(['inline', 'anchor', 'oneCellAnchor', 'absoluteAnchor'])
const vectorShapes = new Set(['shape', 'rect', 'roundrect', 'oval'])
const reference = /:(?:embed|link|id|pict|relid|href)\s*=/

/**
 * Where a part of an Office Open XML document shows images, and how large in inches; without a size where that cannot
 * be told.
 * @param {string} xml
 * @param {ReadonlySet<string>} ids the relationships of this part that lead to images
 * @param {Extent} [slide] the size of a slide, which a background fills
 * @returns {Use[]}
 */
export function usesInOpenXml(xml, ids, slide) {
  /** @type {Use[]} */
  const uses = []
  /** @type {Node | undefined} */
  let top
  let depth = 0
  for (const tag of tagsOf(xml)) {
    if (tag.kind === 'close') {
      if (top?.name !== tag.name) throw new Error('XML does not nest')
      uses.push(...finish(top, slide))
      top = top.up
      depth--
      continue
    }
    /** @type {Node} */
    const node = { name: tag.name, up: top }
    uses.push(...read(node, tag, ids))
    if (tag.kind === 'empty') {
      uses.push(...finish(node, slide))
    } else {
      top = node
      depth++
      if (depth > deepest) throw new Error('XML is too deep')
    }
  }
  return uses
}

/**
 * The size of slides a presentation states, in inches.
 * @param {string} xml
 * @returns {Extent | undefined}
 */
export function slideSizeOf(xml) {
  for (const tag of tagsOf(xml)) if (tag.name === 'sldSz') return extentOf(attributesOf(tag))
  return undefined
}

/** @param {Node} node @param {import('./xml-tags.mjs').Tag} tag @param {ReadonlySet<string>} ids @returns {Use[]} */
function read(node, tag, ids) {
  const { name, up } = node
  if (name === 'ext' || name === 'chExt' || name === 'extent') readExtent(node, tag)
  else if (name === 'srcRect' || name === 'fillRect' || name === 'tile') readFill(node, tag)
  else if (vectorShapes.has(name)) node.style = attributesOf(tag).get('style')
  if (!reference.test(tag.text)) return []
  const attributes = attributesOf(tag)
  const found = [...attributes].filter(([key, value]) => key.includes(':') && ids.has(value))
  const id = found[0]?.[1]
  if (id === undefined) return []
  if (name === 'blip') {
    const owner = nearest(up, (one) => shapes.has(one.name) || one.name === 'bgPr')
    if (owner !== undefined && up !== undefined) {
      const blip = { id }
      up.last = blip
      owner.blips = [...(owner.blips ?? []), blip]
      return []
    }
  }
  return [{ id, size: name === 'imagedata' ? vectorSize(up, attributes) : undefined }]
}

/** @param {Node} node @param {import('./xml-tags.mjs').Tag} tag */
function readExtent({ name, up }, tag) {
  if (up === undefined) return
  if (anchors.has(up.name)) up.extent = extentOf(attributesOf(tag))
  const holder = up.name === 'xfrm' ? up.up : undefined
  if (holder?.up === undefined) return
  if (holder.name === 'grpSpPr' && name === 'chExt') holder.up.inner = extentOf(attributesOf(tag))
  else if (holder.name === 'grpSpPr' || holder.name === 'spPr') holder.up.ext = extentOf(attributesOf(tag))
}

/** @param {Node} node @param {import('./xml-tags.mjs').Tag} tag */
function readFill({ name, up }, tag) {
  const blip = nearest(up, (one) => one.name === 'blipFill')?.last
  if (blip === undefined) return
  if (name === 'tile') blip.isTiled = true
  else if (name === 'srcRect') blip.crop = insetOf(attributesOf(tag))
  else blip.inset = insetOf(attributesOf(tag))
}

/** @param {Node} node @param {Extent | undefined} slide @returns {Use[]} */
function finish(node, slide) {
  const { blips, name } = node
  if (blips === undefined) return []
  const extent = name === 'bgPr' ? slide : shapeSize(node)
  return blips.map((blip) => ({ id: blip.id, size: extent && uncropped(extent, blip) }))
}

/** @param {Node} node @returns {Extent | undefined} */
function shapeSize({ ext, up }) {
  const anchor = nearest(up, (one) => anchors.has(one.name))?.extent
  let isGrouped = false
  let size = ext
  for (let one = up; one !== undefined; one = one.up) {
    if (!groups.has(one.name)) continue
    isGrouped = true
    if (size === undefined || one.ext === undefined || one.inner === undefined) return undefined
    size = {
      width: (size.width * one.ext.width) / one.inner.width,
      height: (size.height * one.ext.height) / one.inner.height,
    }
  }
  if (isGrouped || anchor === undefined) return size
  // Programs differ in which of the two they believe.
  return { width: Math.max(size?.width ?? 0, anchor.width), height: Math.max(size?.height ?? 0, anchor.height) }
}

/** How large the whole image would be, were it not cropped. @param {Extent} extent @param {Blip} blip */
function uncropped({ width, height }, { crop, inset, isTiled }) {
  // A tile is as large as the image itself says.
  if (isTiled) return undefined
  const shown = { x: 1 - (crop?.left ?? 0) - (crop?.right ?? 0), y: 1 - (crop?.top ?? 0) - (crop?.bottom ?? 0) }
  const filled = { x: 1 - (inset?.left ?? 0) - (inset?.right ?? 0), y: 1 - (inset?.top ?? 0) - (inset?.bottom ?? 0) }
  if (!(shown.x > 0.001 && shown.y > 0.001 && filled.x > 0 && filled.y > 0)) return undefined
  return { width: (width * filled.x) / shown.x, height: (height * filled.y) / shown.y }
}

/** @param {Node | undefined} up @param {Map<string, string>} attributes @returns {Extent | undefined} */
function vectorSize(up, attributes) {
  const shape = nearest(up, (one) => vectorShapes.has(one.name))
  const isCropped = [...attributes.keys()].some((key) => key.startsWith('crop'))
  // Within a group, lengths are in units of the group's own.
  if (shape?.style === undefined || isCropped || nearest(shape.up, (one) => one.name === 'group')) return undefined
  const [width, height] = ['width', 'height'].map((side) => styleLength(shape.style ?? '', side))
  return width && height ? { width, height } : undefined
}

/** @type {Readonly<Record<string, number>>} */
const unitsPerInch = { in: 1, pt: 72, pc: 6, cm: 2.54, mm: 25.4, px: 96 }

/** @param {string} style @param {string} side */
function styleLength(style, side) {
  const value = style.split(';').find((one) => one.trim().startsWith(`${side}:`))
  const [, number = '', unit = ''] = /:\s*([\d.]{1,20})(in|pt|pc|cm|mm|px)\s*$/.exec(value?.slice(0, 100) ?? '') ?? []
  return Number(number) / (unitsPerInch[unit] ?? Number.NaN) || undefined
}

/** @param {Node | undefined} from @param {(node: Node) => boolean} fits */
function nearest(from, fits) {
  for (let one = from; one !== undefined; one = one.up) if (fits(one)) return one
  return undefined
}

/** @param {Map<string, string>} attributes @returns {Extent | undefined} */
function extentOf(attributes) {
  const width = Number(attributes.get('cx')) / emuPerInch
  const height = Number(attributes.get('cy')) / emuPerInch
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** @param {Map<string, string>} attributes @returns {Inset} */
function insetOf(attributes) {
  // Thousandths of a percent; the strict variant of the format writes percentages.
  const share = (/** @type {string} */ side) => {
    const value = attributes.get(side) ?? '0'
    return value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value) / 100_000
  }
  return { left: share('l'), top: share('t'), right: share('r'), bottom: share('b') }
}

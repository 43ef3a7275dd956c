// @ts-check
import { isClipped, usesInOpenDocument } from './open-document-uses.mjs'
import { slideSizeOf, usesInOpenXml } from './open-xml-uses.mjs'
import { attributesOf, tagsOf, textOf } from './xml-tags.mjs'
import { readEntry } from './zip-source.mjs'

/**
 * @typedef {import('./open-xml-uses.mjs').Extent} Extent
 * @typedef {import('./zip-source.mjs').ZipSource} ZipSource
 * @typedef {{ partBytes: number, partsBytes: number }} XmlLimits
 * @typedef {(name: string) => Promise<string | undefined>} ReadText
 */

/** The largest size each image of a package is shown at, in inches; images shown in a way we do not know are missing. */
class Sizes {
  constructor() {
    /** @type {Map<string, Extent | undefined>} */
    this.byName = new Map()
  }

  /** @param {string} name @param {Extent | undefined} size */
  add(name, size) {
    const key = name.toLowerCase()
    if (!this.byName.has(key)) {
      this.byName.set(key, size)
      return
    }
    const known = this.byName.get(key)
    const both = known &&
      size && { width: Math.max(known.width, size.width), height: Math.max(known.height, size.height) }
    this.byName.set(key, both)
  }

  /** @param {string} name */
  get(name) {
    return this.byName.get(name.toLowerCase())
  }
}

/**
 * Finds how large a document shows its images. A part that is too long or broken only makes sizes unknown.
 * @param {ZipSource} zip
 * @param {XmlLimits} limits
 */
export async function findShownSizes(zip, limits) {
  const sizes = new Sizes()
  const readText = reader(zip, limits)
  const names = zip.entries.map(({ name }) => name)
  if (names.includes('META-INF/manifest.xml')) await inOpenDocument(names, readText, sizes)
  else if (zip.format !== 'epub') await inOpenXml(names, readText, sizes)
  return sizes
}

/** @param {ZipSource} zip @param {XmlLimits} limits @returns {ReadText} */
function reader(zip, { partBytes, partsBytes }) {
  const byName = new Map(zip.entries.map((entry) => [entry.name.toLowerCase(), entry]))
  let left = partsBytes
  return async (name) => {
    const entry = byName.get(name.toLowerCase())
    if (entry === undefined) return undefined
    const bytes = await readEntry(zip, entry, Math.min(partBytes, left))
    if (bytes === undefined) throw new Error('a part cannot be read')
    left -= bytes.length
    return textOf(bytes)
  }
}

/** @param {string[]} names @param {ReadText} readText @param {Sizes} sizes */
async function inOpenXml(names, readText, sizes) {
  const slide = await tolerant(async () => slideSizeOf((await readText('ppt/presentation.xml')) ?? ''), undefined)
  for (const name of names.filter((one) => /(^|\/)_rels\/[^/]*\.rels$/i.test(one))) {
    const images = await tolerant(async () => imageRelations(name, (await readText(name)) ?? ''), undefined)
    // What a broken list of relationships leads to is not known, so nothing is.
    if (images === undefined) throw new Error('a list of relationships cannot be read')
    if (images.size === 0) continue
    const source = name.replace(/_rels\/([^/]*)\.rels$/i, '$1')
    const uses = await tolerant(async () => {
      const xml = await readText(source)
      return xml === undefined ? [] : usesInOpenXml(xml, new Set(images.keys()), slide)
    }, [])
    for (const { id, size } of uses) sizes.add(images.get(id) ?? '', size)
    const used = new Set(uses.map(({ id }) => id))
    for (const [id, target] of images) if (!used.has(id)) sizes.add(target, undefined)
  }
}

/**
 * The targets within the package that may be images, by the identifier of their relationship.
 * @param {string} name
 * @param {string} xml
 */
function imageRelations(name, xml) {
  /** @type {Map<string, string>} */
  const images = new Map()
  const folder = name.replace(/_rels\/[^/]*$/i, '')
  for (const tag of tagsOf(xml)) {
    if (tag.name !== 'Relationship') continue
    const attributes = attributesOf(tag)
    const [id, target] = [attributes.get('Id'), attributes.get('Target')]
    if (!id || !target || attributes.get('TargetMode') === 'External') continue
    if (/\.(xml|bin|vml|rels)$/i.test(target)) continue
    images.set(id, resolved(folder, target))
  }
  return images
}

/** @param {string[]} names @param {ReadText} readText @param {Sizes} sizes */
async function inOpenDocument(names, readText, sizes) {
  const folders = names.flatMap((name) =>
    /(^|\/)content\.xml$/.test(name) ? [name.slice(0, -'content.xml'.length)] : [],
  )
  for (const folder of folders) {
    const parts = []
    for (const part of ['content.xml', 'styles.xml']) {
      parts.push(usesInOpenDocument((await readText(`${folder}${part}`)) ?? ''))
    }
    const styles = new Map(parts.flatMap((part) => [...part.styles]))
    for (const { href, size, style } of parts.flatMap((part) => part.uses)) {
      sizes.add(resolved(folder, href), isClipped(styles, style) ? undefined : size)
    }
  }
}

/** @param {string} folder @param {string} target */
function resolved(folder, target) {
  const path = target.startsWith('/') ? target.slice(1) : `${folder}${target}`
  /** @type {string[]} */
  const parts = []
  for (const part of decoded(path).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @param {T} otherwise
 */
async function tolerant(work, otherwise) {
  try {
    return await work()
  } catch {
    return otherwise
  }
}

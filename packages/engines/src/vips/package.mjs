// @ts-check
import { open } from 'node:fs/promises'
import { reduceImage } from './package-image.mjs'
import { damaged, Refusal } from './refusal.mjs'
import { findShownSizes } from './shown-sizes.mjs'
import { attributesOf, tagsOf, textOf } from './xml-tags.mjs'
import { encrypted, InflatedCount, openZip, readEntry } from './zip-source.mjs'
import { ZipTarget } from './zip-target.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./zip-source.mjs').ZipSource} ZipSource
 * @typedef {import('./zip-source.mjs').Entry} Entry
 * @typedef {import('./open-xml-uses.mjs').Extent} Extent
 */

const images = /\.(png|jpe?g|jpe|jfif)$/i
const thumbnails = /(^|\/)thumbnails?[^/]*(\/|$)/i
const signatures = /^(_xmlsignatures\/.+\.xml|META-INF\/(document)?signatures\.xml)$/i
// These only make fonts harder to take out: readers of books need no password for them.
const obfuscations = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']
const leastBytes = 2048
const mostTypeBytes = 1024
const mostManifestBytes = 16 * 1024 ** 2

/**
 * Writes a document that is a ZIP package anew: images reduced, everything else the same and deflated tightly.
 * @param {Call} call
 */
export async function compressPackage(call) {
  const [input] = call.inputs
  if (input === undefined) throw new Refusal('engine_crashed', undefined, 'no input')
  const limits = /** @type {any} */ (call.limits)
  const zip = await openZip(input, limits.zip)
  const output = await open(call.output.path, 'wx+')
  try {
    await judge(zip)
    const before = (await zip.handle.stat()).size
    const after = await write({ ...call, limits }, zip, new ZipTarget(output))
    if (after < before && zip.entries.some(({ name }) => signatures.test(name))) {
      call.warnings.push('The document was signed; the signature does not hold for the result.')
    }
  } finally {
    await zip.handle.close()
    await output.close()
  }
}

/** @param {any} call @param {ZipSource} zip @param {ZipTarget} target */
async function write({ params, limits, progress, warnings }, zip, target) {
  const sizes = params.dpi === undefined ? undefined : await findShownSizes(zip, limits.xml).catch(() => undefined)
  const count = new InflatedCount(limits.zip)
  const total = zip.entries.reduce((sum, { packed }) => sum + packed, 1)
  const until = performance.now() + limits.imagesMs
  let [done, late] = [0, 0]
  for (const entry of ordered(zip.entries)) {
    const isImage = isCandidate(entry, limits)
    if (isImage && performance.now() > until) late++
    const small =
      isImage && performance.now() <= until ? await reduced(zip, entry, { sizes, params, limits }) : undefined
    if (small) {
      count.add(entry.packed, entry.size)
      await target.put(entry, small)
    } else if (entry.name === 'mimetype') {
      await putType(zip, entry, { target, count })
    } else {
      await target.copy(zip, entry, count)
    }
    done += entry.packed
    progress(Math.min(1, done / total))
  }
  if (late > 0) warnings.push(`${late} images were left as they are: the time for images was used up.`)
  return target.end()
}

/** @param {ZipSource} zip @param {Entry} entry @param {{ sizes: { get(name: string): Extent | undefined } | undefined, params: any, limits: any }} how */
async function reduced(zip, entry, { sizes, params, limits }) {
  const original = await readEntry(zip, entry, limits.imageBytes)
  if (original === undefined) return undefined
  const small = await reduceImage(original, sizes?.get(entry.name), params, limits.image).catch((error) => {
    // An image that does not decode is left to the readers of the document.
    if (error instanceof Refusal) throw error
    return undefined
  })
  return small && small.length < original.length ? small : undefined
}

/** @param {Entry} entry @param {{ imageBytes: number }} limits */
function isCandidate({ name, size }, limits) {
  return images.test(name) && !thumbnails.test(name) && size >= leastBytes && size <= limits.imageBytes
}

// The type of a document is to be read without unpacking anything.
/** @param {ZipSource} zip @param {Entry} entry @param {{ target: ZipTarget, count: InflatedCount }} to */
async function putType(zip, entry, { target, count }) {
  const type = await readEntry(zip, entry, mostTypeBytes)
  await (type === undefined ? target.copy(zip, entry, count) : target.store(entry, type))
}

// Readers look for the type of the document in the first bytes of the file.
/** @param {Entry[]} entries */
function ordered(entries) {
  return [...entries.filter(({ name }) => name === 'mimetype'), ...entries.filter(({ name }) => name !== 'mimetype')]
}

/** Refuses what is not the document it claims to be, and what is encrypted. @param {ZipSource} zip */
async function judge(zip) {
  const names = new Set(zip.entries.map(({ name }) => name.toLowerCase()))
  const marks = ['[content_types].xml', 'meta-inf/manifest.xml', 'content.xml', 'meta-inf/container.xml', 'mimetype']
  if (!marks.some((name) => names.has(name))) throw damaged({ format: zip.format }, new Error('not such a package'))
  if ((await attributeValues(zip, 'META-INF/manifest.xml', 'encryption-data')).length > 0) throw encrypted()
  const algorithms = await attributeValues(zip, 'META-INF/encryption.xml', 'EncryptionMethod')
  const isHidden = algorithms.some((all) => !obfuscations.includes(all.get('Algorithm') ?? ''))
  if (isHidden)
    throw new Refusal('input_encrypted', 'The book is encrypted by its publisher (DRM), so it cannot be changed.')
}

/** @param {ZipSource} zip @param {string} part @param {string} element */
async function attributeValues(zip, part, element) {
  const entry = zip.entries.find(({ name }) => name === part)
  const bytes = entry && (await readEntry(zip, entry, mostManifestBytes))
  if (bytes === undefined) return []
  const found = []
  try {
    for (const tag of tagsOf(textOf(bytes))) {
      if (tag.name === element && tag.kind !== 'close') found.push(attributesOf(tag))
    }
  } catch {
    // A broken list is a matter for the readers of the document.
  }
  return found
}

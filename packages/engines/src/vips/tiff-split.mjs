// @ts-check
import { open } from 'node:fs/promises'
import { beyond, damaged, incomplete, Refusal } from './refusal.mjs'
import { TiffForm } from './tiff-directory.mjs'

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {import('./tiff-directory.mjs').Entry} Entry
 */

const tags = { compression: 259, strips: 273, stripBytes: 279, tiles: 324, tileBytes: 325 }
/** Directories below: smaller versions of a page, EXIF, GPS, interoperability. */
const below = [330, 34_665, 34_853, 40_965]
const mostBelow = 64
const deepest = 3
/** Old-style JPEG of TIFF 6.0, which keeps its tables anywhere in the file. */
const oldJpeg = 6
const pieceBytes = 1024 * 1024

/**
 * Splits a TIFF into files of some of its pages. Pages are copied as they are, compressed and with all their tags: nothing
 * is decoded, so nothing is lost.
 *
 * @param {import('./runner.mjs').Call} call `params.pages_per_file`, or `params.ranges`, each of which is one file
 */
export async function splitTiff({ inputs, output, params, limits, progress, warnings }) {
  const [input] = inputs
  await using file = await open(input?.path ?? '')
  const { form, first } = await TiffForm.read(file)
  const { pages, isBroken } = await listPages(file, form, { first, most: limits.splitPages })
  const files = params.ranges ? readRanges(params.ranges, pages.length) : inTurn(pages.length, params.pages_per_file)
  const { size } = await file.stat()
  // Pages may share what they show; a file whose pages all do, many times over, is made to fill disks.
  const copier = { file, form, left: 4 * size + 1024 * 1024, isCut: isBroken }
  for (const [n, numbers] of files.entries()) {
    const path = output.path.replace(/\.\w+$/, `-${n + 1}$&`)
    await writePages(
      copier,
      path,
      numbers.map((page) => pages[page - 1] ?? 0),
    )
    progress((n + 1) / files.length)
  }
  if (!copier.isCut) return
  if (params.strict) throw damaged({ format: 'tiff' })
  warnings.push(incomplete)
}

/**
 * Where each page has its directory, as far as the chain of pages can be followed.
 *
 * @param {FileHandle} file
 * @param {TiffForm} form
 * @param {{ first: number, most: number }} chain
 */
async function listPages(file, form, { first, most }) {
  /** @type {Set<number>} */
  const pages = new Set()
  let at = first
  while (at !== 0 && !pages.has(at)) {
    const directory = await form.readDirectory(file, at).catch(() => undefined)
    if (directory === undefined) break
    pages.add(at)
    if (pages.size > most) throw beyond('pages', pages.size, most)
    at = directory.next
  }
  if (pages.size === 0) throw damaged({ format: 'tiff' })
  return { pages: [...pages], isBroken: at !== 0 }
}

/** @param {number} count @param {number} each */
function inTurn(count, each) {
  const files = Math.ceil(count / each)
  return Array.from({ length: files }, (_, file) =>
    Array.from({ length: Math.min(each, count - file * each) }, (_, n) => file * each + n + 1),
  )
}

/**
 * `1-3,4-6,7-` as lists of pages; a range may run backwards.
 *
 * @param {string} ranges
 * @param {number} count
 */
function readRanges(ranges, count) {
  return ranges.split(',').map((range) => {
    const [from = '', to = from] = range.split('-')
    const [first, last] = [from === '' ? 1 : Number(from), to === '' ? count : Number(to)]
    if (Math.min(first, last) < 1 || Math.max(first, last) > count) {
      const text = `The option ranges asks for a page that does not exist: the file has ${count} pages.`
      throw new Refusal('unsupported', text)
    }
    const step = first <= last ? 1 : -1
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, n) => first + n * step)
  })
}

/**
 * @typedef {{ file: FileHandle, form: TiffForm, left: number, isCut: boolean }} Copier
 * @typedef {{ copier: Copier, out: FileHandle, end: number }} Target
 */

/**
 * @param {Copier} copier
 * @param {string} path
 * @param {readonly number[]} pages
 */
async function writePages(copier, path, pages) {
  const { form, file } = copier
  await using out = await open(path, 'wx')
  const header = form.header(0)
  const target = { copier, out, end: header.length }
  await out.write(header, 0, header.length, 0)
  /** Where the place of the next directory is to be written. */
  let link = form.layout.offset
  for (const page of pages) {
    const { entries } = await form.readDirectory(file, page)
    const written = await writeDirectory(target, entries, 0)
    await writePlace(target, link, written.at)
    link = written.link
  }
}

/** @param {Target} target @param {number} at @param {number} value */
async function writePlace({ copier: { form }, out }, at, value) {
  const bytes = Buffer.alloc(form.layout.place)
  form.writeNumber(bytes, { at: 0, bytes: bytes.length, value })
  await out.write(bytes, 0, bytes.length, at)
}

/**
 * Copies a directory with what it leads to.
 *
 * @param {Target} target
 * @param {readonly Entry[]} entries
 * @param {number} depth
 */
async function writeDirectory(target, entries, depth) {
  const { form } = target.copier
  const find = (/** @type {number} */ tag) => entries.find((entry) => entry.tag === tag)
  if (form.numbers(find(tags.compression))[0] === oldJpeg) {
    throw new Refusal(
      'unsupported',
      'A page uses old-style JPEG compression, which cannot be copied. Convert the file to tiff, then split the result.',
    )
  }
  /** @type {Map<number, Entry>} */
  const moved = new Map()
  for (const [places, lengths] of [
    [tags.strips, tags.stripBytes],
    [tags.tiles, tags.tileBytes],
  ]) {
    const from = form.numbers(find(places ?? 0))
    if (places === undefined || lengths === undefined || from.length === 0) continue
    const given = form.numbers(find(lengths))
    const copied = await copyPieces(target, from, given)
    moved.set(
      places,
      form.places(
        places,
        copied.map(({ at }) => at),
      ),
    )
    moved.set(
      lengths,
      form.places(
        lengths,
        copied.map(({ length }) => length),
      ),
    )
  }
  for (const tag of below) {
    const places = form.numbers(find(tag))
    if (places.length === 0) continue
    if (depth === deepest || places.length > mostBelow) throw damaged({ format: 'tiff' })
    const written = []
    for (const place of places) written.push(await copyBelow(target, place, depth))
    moved.set(tag, form.places(tag, written))
  }
  const all = new Map(entries.map((entry) => [entry.tag, entry]))
  for (const [tag, entry] of moved) all.set(tag, entry)
  const ordered = [...all.values()].sort((a, b) => a.tag - b.tag)
  const at = even(target.end)
  const { bytes, link } = form.layOut(ordered, at)
  spend(target, bytes.length)
  await target.out.write(bytes, 0, bytes.length, at)
  target.end = at + bytes.length
  return { at, link }
}

/** @param {Target} target @param {number} place @param {number} depth */
async function copyBelow(target, place, depth) {
  const { file, form } = target.copier
  const { entries } = await form.readDirectory(file, place)
  return (await writeDirectory(target, entries, depth + 1)).at
}

/**
 * @param {Target} target
 * @param {readonly number[]} places
 * @param {readonly number[]} lengths
 */
async function copyPieces(target, places, lengths) {
  const { size } = await target.copier.file.stat()
  const starts = lengths.length === 0 ? [...new Set([...places, size])].sort((a, b) => a - b) : []
  const nextOf = new Map(starts.map((start, n) => [start, starts[n + 1] ?? size]))
  const copied = []
  for (const [n, place] of places.entries()) {
    // Old programs leave the lengths out: a piece goes as far as the next one.
    const length = lengths[n] ?? (nextOf.get(place) ?? place) - place
    copied.push(await copyPiece(target, { place, length, size }))
  }
  return copied
}

/** @param {Target} target @param {{ place: number, length: number, size: number }} piece */
async function copyPiece(target, { place, length, size }) {
  const { copier, out } = target
  // What lies beyond the end of a file that was cut off is not there to be copied.
  const there = Math.max(0, Math.min(length, size - place))
  if (there < length) copier.isCut = true
  spend(target, there)
  const at = even(target.end)
  for (let done = 0; done < there; ) {
    const wanted = Math.min(pieceBytes, there - done)
    const { bytesRead, buffer } = await copier.file.read(Buffer.alloc(wanted), 0, wanted, place + done)
    if (bytesRead === 0) throw damaged({ format: 'tiff' })
    await out.write(buffer, 0, bytesRead, at + done)
    done += bytesRead
  }
  target.end = at + there
  return { at, length: there }
}

const even = (/** @type {number} */ place) => place + (place % 2)

/** @param {Target} target @param {number} bytes */
function spend({ copier }, bytes) {
  copier.left -= bytes
  if (copier.left < 0)
    throw new Refusal('limit_exceeded', 'The pages would take more than four times as much room as the file.')
}

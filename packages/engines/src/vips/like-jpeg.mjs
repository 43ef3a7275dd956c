// @ts-check

/**
 * @typedef {{ unit: number, x: number, y: number }} Density
 */

const startOfScan = 0xda
const perInch = 1
const [firstApp, exif, icc, lastApp, comment] = [0xe0, 0xe1, 0xe2, 0xef, 0xfe]

/**
 * The pixels of one JPEG with the profile, the orientation and the resolution of another, whose pixels they were made
 * of. The rest of its metadata is left out.
 * @param {Buffer} encoded
 * @param {Buffer} original
 * @param {{ scale: number, orientation: number, exifDensity?: number | undefined }} how
 */
export function likeJpeg(encoded, original, { scale, orientation, exifDensity }) {
  const { segments: old } = segmentsOf(original)
  const { segments, scan } = segmentsOf(encoded)
  const jfif = old.find(({ marker, data }) => marker === firstApp && data.toString('latin1', 4, 8) === 'JFIF')
  const profile = old.filter(({ marker, data }) => marker === icc && data.toString('latin1', 4, 15) === 'ICC_PROFILE')
  const own = segments.filter(({ marker }) => (marker < firstApp || marker > lastApp) && marker !== comment)
  const density = scaled(densityOf(jfif?.data) ?? toDensity(exifDensity), scale)
  return Buffer.concat([
    encoded.subarray(0, 2),
    jfifWith(density),
    ...(orientation > 1 ? [exifWith(orientation, density)] : []),
    ...profile.map(({ data }) => data),
    ...own.map(({ data }) => data),
    encoded.subarray(scan),
  ])
}

/** @param {Buffer | undefined} jfif @returns {Density | undefined} */
function densityOf(jfif) {
  if (jfif === undefined || jfif.length < 16) return undefined
  return { unit: jfif[11] ?? 0, x: jfif.readUInt16BE(12), y: jfif.readUInt16BE(14) }
}

// Without a resolution of its own, none is claimed: readers then assume what they did before.
/** @param {number | undefined} dpi @returns {Density} */
function toDensity(dpi) {
  return dpi === undefined ? { unit: 0, x: 1, y: 1 } : { unit: perInch, x: dpi, y: dpi }
}

/** @param {Density} density @param {number} scale @returns {Density} */
function scaled({ unit, x, y }, scale) {
  const [toX, toY] = [x, y].map((value) =>
    Math.min(0xffff, Math.max(1, Math.round(unit === 0 ? value : value * scale))),
  )
  return { unit, x: toX ?? 1, y: toY ?? 1 }
}

/**
 * The segments before the first scan, each with its marker and length, and where that scan begins.
 * @param {Buffer} jpeg
 */
function segmentsOf(jpeg) {
  /** @type {{ marker: number, data: Buffer }[]} */
  const segments = []
  let at = 2
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1] ?? 0
    if (marker === startOfScan) break
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    segments.push({ marker, data: jpeg.subarray(at, end) })
    at = end
  }
  return { segments, scan: at }
}

/** @param {Density} density */
function jfifWith({ unit, x, y }) {
  const segment = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  segment[11] = unit
  segment.writeUInt16BE(x, 12)
  segment.writeUInt16BE(y, 14)
  return segment
}

// A TIFF of one directory: the orientation, and the resolution again, because EXIF without one counts as 72 dpi.
/** @param {number} orientation @param {Density} density */
function exifWith(orientation, { unit, x, y }) {
  const short = (/** @type {number} */ tag, /** @type {number} */ value) => [tag, 3, 0, 1, value, 0]
  const ratio = (/** @type {number} */ tag, /** @type {number} */ at) => [tag, 5, 0, 1, 0, at]
  const values = 8 + 2 + 4 * 12 + 4
  const resolution = [...ratio(0x011a, values), ...ratio(0x011b, values + 8), ...short(0x0128, unit + 1)]
  const words = [0x4d4d, 42, 0, 8, 4, ...short(0x0112, orientation), ...resolution, 0, 0, 0, x, 0, 1, 0, y, 0, 1]
  const segment = Buffer.alloc(10 + 2 * words.length)
  segment.writeUInt16BE(0xff00 | exif, 0)
  segment.writeUInt16BE(segment.length - 2, 2)
  segment.write('Exif\0\0', 4, 'latin1')
  for (const [n, word] of words.entries()) segment.writeUInt16BE(word, 10 + 2 * n)
  return segment
}

// @ts-check

/**
 * @typedef {import('sharp').Sharp} Sharp
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 */

/**
 * Sets colours, depth and what is kept beside the picture. Without options nothing is set, and the picture comes out
 * in sRGB without metadata.
 * @param {Sharp} image
 * @param {Call} call
 * @param {Source} source
 */
export function setLook(image, call, source) {
  const { params } = call
  if (isOpaque(call)) {
    if (source.meta.hasAlpha) image.flatten({ background: params.background ?? 'white' })
    // What is laid over the picture afterwards brings transparency back.
    image.removeAlpha()
  }
  if (params.strip === false) image.keepMetadata()
  setColours(image, params)
  if (params.dpi === undefined) return
  // A density is kept in EXIF, so it takes an empty one where the rest is to go.
  if (params.strip !== false) image.withExif({})
  image.withDensity(params.dpi)
}

/** @param {Sharp} image @param {Call['params']} params */
function setColours(image, { colour_space: space, depth }) {
  const isDeep = depth === '16'
  if (space === 'gray') image.toColourspace(isDeep ? 'grey16' : 'b-w')
  else if (isDeep) image.toColourspace('rgb16')
  // Without its profile nobody can tell what the numbers mean.
  if (space === 'cmyk') image.toColourspace('cmyk').withIccProfile('cmyk')
  if (space === 'p3') image.withIccProfile('p3')
  if (space === 'srgb') image.withIccProfile('srgb', { attach: false })
}

/** Whether the result has no transparency. @param {Call} call */
function isOpaque({ output, params }) {
  if (params.flatten || params.colour_space === 'cmyk') return true
  return output.format === 'jpg' || (output.format === 'tiff' && params.compression === 'jpeg')
}

// @ts-check
import { checkSide } from './encode.mjs'
import { targetSize } from './geometry.mjs'
import { canHold } from './optimize-contest.mjs'
import { beyond } from './refusal.mjs'
import { allPages } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./optimize-contest.mjs').Rules} Rules
 */

/** What a result must be, and until when it is searched for. @param {Call} call @param {() => number} [now] @returns {Rules} */
export function rulesOf({ params, limits }, now = Date.now) {
  const end = now() + limits.searchMs
  return {
    formats: params.formats,
    target: params.similarity,
    isLate: () => now() > end,
    avifPixels: limits.avifPixels,
  }
}

/** The size of the result, which the allowed formats can hold. @param {Pick<Source, 'width' | 'height'>} source @param {Call} call */
export function checkedSize(source, call) {
  const { width, height } = call.params
  // An image is never enlarged.
  const params = {
    fit: 'inside',
    ...(width < source.width && { width }),
    ...(height < source.height && { height }),
  }
  const size = targetSize(/** @type {Source} */ (source), { ...call, params })
  const area = size.width * size.height
  const { optimizedPixels } = call.limits
  if (area > optimizedPixels) throw beyond('pixels of the result', area, optimizedPixels)
  checkFormats(size, call)
  return { width: Math.max(1, Math.round(size.width)), height: Math.max(1, Math.round(size.height)) }
}

/** Refuses what none of the allowed formats can hold. @param {{ width: number, height: number }} size @param {Call} call */
function checkFormats(size, { params, limits: { avifPixels } }) {
  /** @type {string[]} */
  const formats = params.formats
  if (formats.some((format) => canHold(format, size, avifPixels))) return
  for (const format of formats) checkSide(format, size)
  throw beyond('pixels of an avif result', size.width * size.height, avifPixels)
}

/** Options that open all frames of an animation, if they are not too many to encode several times. @param {Source} source @param {Call} call */
export function allFrames(source, call) {
  const { limits } = call
  return allPages(source, { ...call, limits: { ...limits, animationPixels: limits.optimizedFramesPixels } })
}

// @ts-check

/**
 * @typedef {{ quality: number, score: number, bytes: Buffer }} Try
 * @typedef {{ from: number, to: number, start: number, target: number, tries: number, isLate?: () => boolean }} Search
 */

// Of each step of quality, in encoders of all kinds: the loss shrinks by about three in a hundred.
const lossPerStep = 0.03
// A result that loses this share of what it may is not worth another try.
const closeEnough = 0.9

/**
 * Finds the lowest quality whose result scores at least the target, in a few tries; undefined where none was found. What
 * is given back was measured, so that it holds whatever the encoder does in between.
 * @param {Search} search
 * @param {(quality: number) => Promise<Try>} attempt
 * @returns {Promise<Try | undefined>}
 */
export async function searchQuality({ from, to, start, target, tries, isLate = () => false }, attempt) {
  /** @type {Try | undefined} */
  let good
  /** @type {Try | undefined} */
  let bad
  let quality = start
  for (let n = 0; n < tries; n++) {
    const found = await attempt(quality)
    if (found.score >= target) {
      if (good === undefined || found.quality < good.quality) good = found
      if (lossOf(found.score) >= closeEnough * lossOf(target)) break
    } else if (bad === undefined || found.quality > bad.quality) bad = found
    const next = nextQuality({ from, to, target }, good, bad)
    if (next === undefined || (isLate() && good !== undefined)) break
    quality = next
  }
  return good
}

const lossOf = (/** @type {number} */ score) => Math.max(100 - score, 0.01)

/**
 * @param {Pick<Search, 'from' | 'to' | 'target'>} range
 * @param {Try | undefined} good
 * @param {Try | undefined} bad
 */
function nextQuality({ from, to, target }, good, bad) {
  const wanted = Math.log(lossOf(target))
  if (good === undefined) {
    if (bad === undefined || bad.quality >= to) return undefined
    return Math.min(to, bad.quality + stepsFor(Math.log(lossOf(bad.score)) - wanted))
  }
  const above = Math.log(lossOf(good.score))
  if (bad === undefined || bad.quality >= good.quality) {
    return good.quality <= from ? undefined : Math.max(from, good.quality - stepsFor(wanted - above))
  }
  if (good.quality - bad.quality <= 1) return undefined
  const below = Math.log(lossOf(bad.score))
  const share = (below - wanted) / Math.max(below - above, 1e-6)
  const guess = Math.ceil(bad.quality + share * (good.quality - bad.quality))
  return Math.min(good.quality - 1, Math.max(bad.quality + 1, guess))
}

/** @param {number} distance of the logarithms of two losses */
const stepsFor = (distance) => Math.min(30, Math.max(2, Math.round(distance / lossPerStep)))

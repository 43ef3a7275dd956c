// @ts-check

/** Pixels in a unit of length, as CSS has it: an inch is 96 pixels. */
const pixelsIn = /** @type {Record<string, number>} */ ({
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
})

/**
 * Gives the size of a drawing in pixels. libvips takes an inch for 72 pixels and leaves the pixels inside as they are,
 * so that a drawing four inches wide would lose a quarter of what browsers show of it.
 * @param {string} text
 */
export function withPixelSize(text) {
  const start = text.search(/<([\w-]{1,32}:)?svg[\s>/]/)
  if (start === -1) return text
  const end = Math.min(text.indexOf('>', start), start + 8192)
  const tag = text
    .slice(start, end)
    .replaceAll(
      /(\s(?:width|height)=["'])([\d.]{1,32})(in|cm|mm|q|pt|pc)(?=["'])/gi,
      (_, before, size, unit) => `${before}${Number((Number(size) * (pixelsIn[unit.toLowerCase()] ?? 1)).toFixed(3))}`,
    )
  return text.slice(0, start) + tag + text.slice(end)
}

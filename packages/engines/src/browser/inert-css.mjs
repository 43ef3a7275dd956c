// @ts-check

/**
 * Puts marks in the place of all that a style sheet would fetch; what there is no mark for becomes nothing. It also
 * runs in the browser, as text, and may use nothing outside.
 *
 * @param {string} css
 * @param {string} base
 * @param {Record<string, string>} marks
 * @returns {string}
 */
export function inertCss(css, base, marks) {
  const replace = (/** @type {string} */ url) => {
    if (url.startsWith('#') || /^data:(image|font)\//i.test(url)) return `url("${url.replaceAll('"', '%22')}")`
    return `url("${marks[URL.parse(url, base)?.href ?? url] ?? 'data:,'}")`
  }
  return css
    .replaceAll(/url\(\s*(?:"([^"]*)"\s*|'([^']*)'\s*|((?:[^()'"\s\\]|\\.)+)\s*)?\)/gi, (_, a, b, c) =>
      replace(a ?? b ?? c ?? ''),
    )
    .replaceAll(/@import\s*(?:"([^"]*)"|'([^']*)')/gi, (_, a, b) => `@import ${replace(a ?? b ?? '')}`)
}

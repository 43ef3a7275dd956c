// @ts-check

/** The most prefixes that are declared: a drawing of a real program uses a handful. */
const maxPrefixes = 64

/**
 * Declares the namespaces that a drawing uses without saying what they are, as files do from which a program has cut
 * parts. Readers of XML refuse such a drawing whole; declared, those parts are ignored.
 * @param {string} text
 */
export function withNamespaces(text) {
  /** @type {Set<string>} */
  const missing = new Set()
  const seen = new Set(['xml', 'xmlns'])
  for (const [, element, attribute] of text.matchAll(
    /<([A-Za-z_][\w-]{0,63}):|\s([A-Za-z_][\w-]{0,63}):[A-Za-z_][\w.-]{0,63}=/g,
  )) {
    const prefix = element ?? attribute ?? ''
    if (seen.has(prefix)) continue
    seen.add(prefix)
    if (!text.includes(`xmlns:${prefix}`)) missing.add(prefix)
    if (seen.size === maxPrefixes) break
  }
  if (missing.size === 0) return text
  const root = text.search(/<([\w-]{1,32}:)?svg[\s>/]/)
  if (root === -1) return text
  const end = root + (/^<[\w:-]+/.exec(text.slice(root, root + 80))?.[0].length ?? 0)
  const declared = [...missing].map((prefix) => ` xmlns:${prefix}="urn:undeclared:${prefix}"`).join('')
  return text.slice(0, end) + declared + text.slice(end)
}

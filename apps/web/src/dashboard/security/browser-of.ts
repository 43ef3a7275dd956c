const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (list: typeof browsers, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** The browser and system in a user agent, in two words; undefined if unknown. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined
  const known = [find(browsers, userAgent), find(systems, userAgent)].filter(Boolean)
  return known.length === 0 ? undefined : known.join(' · ')
}

export interface Fault {
  readonly path: string
  readonly line?: number
  readonly text: string
}

type Check = (path: string, content: string) => readonly Fault[]

const maxLines = 400

/** Finds everything wrong with one tracked file that its text can show. */
export function checkFile(path: string, content: string): readonly Fault[] {
  return checks.flatMap((check) => check(path, content))
}

const checks: readonly Check[] = [
  function isShortEnough(path, content) {
    const lines = content.split('\n').length - 1
    const isSource = /\/src\/.*\.(ts|mjs)$/.test(path) && !path.includes('/generated/')
    return isSource && lines > maxLines ? [{ path, text: `has ${lines} lines; split it before ${maxLines}` }] : []
  },

  function namesAnIssueForWhatIsLeft(path, content) {
    if (!/\.(ts|mjs|cjs|sh|sql)$/.test(path)) return []
    return linesMatching(path, content, leftOver, 'says $1 without an issue, as in $1(#12)')
  },

  // A lock file made behind a mirror names that mirror, and installs nowhere else.
  function locksNoHost(path, content) {
    if (path !== 'package-lock.json') return []
    return linesMatching(path, content, /"resolved": "(https?:\/\/[^/"]+)/, 'is locked to the host $1')
  },

  function usesWordsOfTheField(path, content) {
    const isRead = /\.(ts|tsx|md|sh|sql|ya?ml)$/.test(path) || path.endsWith('/en.json')
    // Decisions and migrations stay as they were written.
    if (!isRead || /^docs\/decisions\/|\/migrations\//.test(path)) return []
    return coined.flatMap(([pattern, instead]) => linesMatching(path, content, pattern, `says "$1"; say: ${instead}`))
  },

  function namesNoPackageHost(path, content) {
    return linesMatching(path, content, packageHost, 'names the package host $1; take it from the environment')
  },

  function isNamedAsOurs(path, content) {
    if (!/^(packages|apps)\/[^/]+\/package\.json$/.test(path)) return []
    const { name, private: isPrivate } = JSON.parse(content) as { name?: string; private?: boolean }
    const expected = `@lathe/${path.split('/')[1]}`
    return [
      ...(name === expected ? [] : [{ path, text: `is named ${name}, not ${expected}` }]),
      ...(isPrivate === true ? [] : [{ path, text: 'could be published by mistake: set "private": true' }]),
    ]
  },
]

/** Coined words, and those of the field: see CONTRIBUTING.md. */
const coined: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(fil[m]s?)\b/i, 'video'],
  [/\b(sound and vide[o])\b/i, 'audio and video'],
  [/\b(buckets? of the (?:first|second) kin[d])\b/i, 'S3 bucket, Google Cloud Storage bucket'],
  [/\b((?:how|what|when|wants) to be tol[d])\b/i, 'get notified'],
  [/\b(bits turned ove[r])\b/i, 'flipped bits'],
  [/\b(is not of its for[m])\b/i, 'what the form is, with an example'],
  [/\b(minutes[- ]a[- ](?:month|task))\b/i, 'minutes per month (--monthly-minutes)'],
]

// The letters in brackets keep this file from matching itself.
const leftOver = /\b(TO[D]O|FIX[M]E)\b(?!\(#\d+\))/
const packageHost =
  /\b((?:registry|mirrors?|artifactory|nexus)[.](?!test[.]ts\b)[a-z0-9-]+[.][a-z]{2,}|deb[.]debian[.]org)/

function linesMatching(path: string, content: string, pattern: RegExp, text: string): readonly Fault[] {
  return content.split('\n').flatMap((line, index) => {
    const match = pattern.exec(line)
    return match === null ? [] : [{ path, line: index + 1, text: text.replaceAll('$1', match[1] ?? '') }]
  })
}

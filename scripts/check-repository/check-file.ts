import { operations } from '@lathe/operations'

export interface Fault {
  readonly path: string
  readonly line?: number
  readonly text: string
}

interface LockedPackage {
  readonly link?: boolean
  readonly integrity?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

/**
 * Whether a package must be locked by its hash: all that an installation may load. Registries that mirror only the
 * builds for Linux do not tell the hashes of the others.
 */
function needsHash(folder: string, { link, integrity, dev, os, cpu }: LockedPackage): boolean {
  if (integrity || link || !folder.includes('node_modules/') || (dev && (os ?? cpu))) return false
  const runsHere = os?.includes('linux') ?? true
  return runsHere && (cpu?.some((one) => one === 'x64' || one === 'arm64') ?? true)
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

  // A rule that names an operation is forgotten by the next one: see decision 0043.
  function asksDefinitionsNotNames(path, content) {
    if (!/\.(tsx?|mjs)$/.test(path) || path.startsWith('packages/operations/src/process/')) return []
    // An engine tells its own operations apart in its own directory.
    const isFree =
      /^packages\/engines\/src\/[^/]+\//.test(path) || path.startsWith('e2e/') || /\.test\.tsx?$/.test(path)
    const pattern = isFree ? comparedName : comparedOperation
    const text = "compares with '$1'; read a property of the operation's definition"
    const isProduct = /^(packages|apps)\//.test(path) && !isFree
    const statements = isProduct ? linesMatching(path, content, selectedOperation, text) : []
    return [...linesMatching(path, content, pattern, text), ...statements]
  },

  // The other packages know engines by what they declare; the names of programs belong to their directories.
  function namesNoEngine(path, content) {
    const isOurs = /^(packages\/[^/]+\/(src|README)|apps\/[^/]+\/src)/.test(path) && /\.(tsx?|mjs|md)$/.test(path)
    const mayName = /^packages\/(engines|formats)\/|^apps\/guide\/|\/generated\/|\.test\.tsx?$/.test(path)
    if (!isOurs || mayName) return []
    return linesMatching(path, content, engineName, 'names the engine $1; use what its definition says')
  },

  // A lock file made behind a mirror names that mirror and can only be installed there.
  function locksNoHost(path, content) {
    if (path !== 'package-lock.json') return []
    return linesMatching(path, content, /"resolved": "(https?:\/\/[^/"]+)/, 'is locked to the host $1')
  },

  function locksHashes(path, content) {
    if (path !== 'package-lock.json') return []
    const { packages } = JSON.parse(content) as { packages: Record<string, LockedPackage> }
    const unproven = Object.entries(packages).filter(([folder, locked]) => needsHash(folder, locked))
    return unproven.map(([folder]) => ({
      path,
      text: `has no integrity for ${folder}; see \`npm view NAME@VERSION dist\``,
    }))
  },

  // A tag or branch can be moved to other code, which would run with the rights of our releases.
  function pinsActions(path, content) {
    if (!path.startsWith('.github/workflows/')) return []
    return linesMatching(
      path,
      content,
      /uses: ([^\s@]+@(?![0-9a-f]{40} # )\S*)/,
      'runs $1; name a commit, and its tag in a comment',
    )
  },

  function usesWordsOfTheField(path, content) {
    const isRead = /\.(tsx?|mjs|py|mdx?|sh|sql|ya?ml)$/.test(path) || path.endsWith('/en.json')
    // Migrations never change.
    if (!isRead || /\/migrations\//.test(path)) return []
    const words = isTest.test(path) ? coined : [...coined, ...coinedOutsideTests]
    return words.flatMap(([pattern, instead]) => linesMatching(path, content, pattern, `says "$1"; say: ${instead}`))
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

// These words mean nothing but operations in code; the others do only behind `operation`.
const clear = 'merge|convert|compress|crop|trim'
const comparedName = new RegExp(`[!=]== '(${clear})'`)
const comparedOperation = new RegExp(`[!=]== '(${clear}|(?<=\\boperation [!=]== ')(?:${operations.join('|')}))'`)

const selectedOperation = new RegExp(`(?:and |where |\\w\\.)operation (?:=|<>) '(${operations.join('|')})'`)

const engineName =
  /\b(libvips|vips|ffmpeg|libreoffice|soffice|ghostscript|qpdf|poppler|chromium|imagemagick|pandoc|tesseract)\b/i

/** Coined words and their common replacements: see CONTRIBUTING.md. */
const coined: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(fil[m]s?)\b/i, 'video'],
  [/\b(sound and vide[o])\b/i, 'audio and video'],
  [/\b(buckets? of the (?:first|second) kin[d])\b/i, 'S3 bucket, Google Cloud Storage bucket'],
  [/\b((?:how|what|when|wants) to be tol[d])\b/i, 'get notified'],
  [/\b(bits turned ove[r])\b/i, 'flipped bits'],
  [/\b(is not of its for[m])\b/i, 'what the form is, with an example'],
  [/\b(minutes[- ]a[- ](?:month|task))\b/i, 'minutes per month (--monthly-minutes)'],
  [/\b(go(?:es)? on meanwhil[e])\b/i, 'keeps running'],
  [/\b(do(?:es)? what (?:it|they) sa[y]s?)\b/i, 'what it does'],
  [/\b(whoever was cut of[f])\b/i, 'clients that were disconnected'],
]

/** Words that only titles of tests may have. */
const coinedOutsideTests: typeof coined = [
  [/\b((?:is|are) tol[d])\b(?! apart)/i, 'is sent, is notified, is configured'],
  [/\b((?:may|can|cannot|must) stand (?:alon[e]|besid[e]))\b/i, 'be set alone, be combined with'],
]
const isTest = /\.test\.(tsx?|yml)$|-suite\.ts$/

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

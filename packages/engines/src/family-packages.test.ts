import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Step } from './engine.ts'
import { familyOf } from './engine-family.ts'
import { advertised, findTool } from './registry.ts'
import { requiredOf, walkPlans } from './testing/walk-plans.ts'

/** The families of each root, by the root's name in the lists of scripts/engine-root. */
const roots: Readonly<Record<string, readonly string[]>> = {
  media: ['image', 'av'],
  document: ['office', 'pdf', 'ocr'],
  browser: ['browser'],
}

/** The Debian package of each program that steps and their scripts run. */
const programs: Readonly<Record<string, string>> = {
  'chromium-headless-shell': 'chromium-headless-shell',
  cjxl: 'libjxl-tools',
  dcm2img: 'dcmtk',
  dcmdump: 'dcmtk',
  dcraw_emu: 'libraw-bin',
  ddjvu: 'djvulibre-bin',
  djvused: 'djvulibre-bin',
  djvutxt: 'djvulibre-bin',
  djxl: 'libjxl-tools',
  exiftool: 'libimage-exiftool-perl',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  fluidsynth: 'fluidsynth',
  gs: 'ghostscript',
  jxlinfo: 'libjxl-tools',
  magick: 'imagemagick',
  mutool: 'mupdf-tools',
  ocrmypdf: 'ocrmypdf',
  pandoc: 'pandoc',
  pdfimages: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdftohtml: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pocketsphinx_continuous: 'pocketsphinx',
  qpdf: 'qpdf',
  'raw-identify': 'libraw-bin',
  'rsvg-convert': 'librsvg2-bin',
  tesseract: 'tesseract-ocr',
}

/** Programs of Debian's minimal base, and Python, which its packages depend on. */
const everywhere = ['od', 'python3', 'sh', 'timeout']

/** The packages of modules outside Python's standard library, and of the shared libraries that scripts load. */
const parts: Readonly<Record<string, string>> = {
  PIL: 'python3-pil',
  brotli: 'python3-brotli',
  fontTools: 'python3-fonttools',
  'libarchive.so.13': 'libarchive-tools',
  'libassimp.so.5': 'assimp-utils',
  lxml: 'python3-lxml',
  olefile: 'python3-olefile',
  osgeo: 'python3-gdal',
  pikepdf: 'python3-pikepdf',
  tomli_w: 'python3-tomli-w',
  uno: 'python3-uno',
  yaml: 'python3-yaml',
}

const ownOfPython = [
  '__future__ array base64 bisect codecs collections copy csv ctypes datetime decimal difflib email errno fnmatch functools glob',
  'html io itertools json locale math mmap os posixpath quopri re resource select shutil signal struct subprocess sys',
  'tempfile textwrap threading time tomllib unicodedata urllib xml zipfile zlib',
].flatMap((line) => line.split(' '))

/** The entries of a list for a root, as `engine-root.sh --families` reads them. */
function entriesOf(list: string, root: string): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../../scripts/engine-root/${list}.txt`, import.meta.url), 'utf8')
  const found = new Set<string>()
  let isChosen = false
  for (const line of text.split('\n')) {
    const [, kind, words = ''] = /^# (families|also): *(.*)$/.exec(line) ?? []
    if (kind === 'families') isChosen = words.split(' ').includes(root)
    const entry = kind === 'also' ? words : line.replace(/#.*/, '').trim()
    if (isChosen && entry && kind !== 'families') found.add(entry)
  }
  return found
}

/** An unknown name means that a table in this file is incomplete. */
const packageOf = (table: Readonly<Record<string, string>>, name: string) => table[name] ?? `unknown: ${name}`

const scriptNeeds = new Map<string, readonly string[]>()

/**
 * The packages that a script needs in addition to Lathe's own modules. Cached, because many plans use the same script.
 */
function needsOfScript(text: string, ours: readonly string[]): readonly string[] {
  const key = [...ours, text].join('\n')
  const known = scriptNeeds.get(key) ?? readNeeds(text, ours)
  scriptNeeds.set(key, known)
  return known
}

function readNeeds(text: string, ours: readonly string[]): readonly string[] {
  const imported = [...text.matchAll(/^ *(?:import|from) (\w+)/gm)].map(([, name = '']) => name)
  // `com.sun.star` is part of LibreOffice.
  const foreign = imported.filter((name) => !ours.includes(name) && !ownOfPython.includes(name) && name !== 'com')
  const loaded = [...text.matchAll(/CDLL\("([^"]+)"\)/g)].map(([, name = '']) => name)
  const run = Object.keys(programs).filter((name) => new RegExp(`["/]${name}"|timeout \\d+ ${name} `).test(text))
  return [
    ...[...foreign, ...loaded].map((name) => packageOf(parts, name)),
    ...run.map((name) => packageOf(programs, name)),
  ]
}

const runnerNeeds = new Map<string, readonly string[]>()

/** The Debian and npm packages that a step needs. */
function needsOf(step: Step): readonly string[] {
  if (step.kind === 'call') {
    const known = runnerNeeds.get(step.runner) ?? needsOfRunner(step.runner)
    runnerNeeds.set(step.runner, known)
    return known
  }
  const modules = step.modules ?? {}
  const scripts = [...Object.values(modules), ...(step.writes ?? []).map(({ text }) => text)]
  const ours = Object.keys(modules)
  const words = [step.program, ...(['sh', 'timeout'].includes(step.program) ? step.args : [])]
  const own = words.filter((word, n) => (n === 0 ? !everywhere.includes(word) : word in programs))
  return [...own.map((name) => packageOf(programs, name)), ...scripts.flatMap((text) => needsOfScript(text, ours))]
}

function needsOfRunner(name: string): readonly string[] {
  const script = findTool(name)?.runner?.script
  if (!script) throw new Error(`${name} has no runner`)
  const folder = new URL('.', script)
  const kind = script.pathname.slice(script.pathname.lastIndexOf('.'))
  const files = readdirSync(folder).filter((file) => file.endsWith(kind))
  const texts = files.map((file) => readFileSync(new URL(file, folder), 'utf8'))
  if (kind === '.py')
    return texts.flatMap((text) =>
      needsOfScript(
        text,
        files.map((file) => file.slice(0, -3)),
      ),
    )
  const run = Object.keys(programs).filter((name) => texts.some((text) => text.includes(`execFile('${name}'`)))
  const imported = texts.flatMap((text) =>
    // Only the package name of a specifier that may name a file in the package.
    [...text.matchAll(/ from '([^'./][^'/]*)/g)]
      .map(([, from = '']) => from)
      .filter((from) => !from.startsWith('node:')),
  )
  return [...imported, ...run.map((name) => packageOf(programs, name))]
}

it('the root of a family has what the plans of its engines need', () => {
  const given = new Map(
    Object.keys(roots).map((root) => [root, new Set([...entriesOf('packages', root), ...entriesOf('modules', root)])]),
  )
  const missing = new Map<string, string>()
  for (const ability of advertised) {
    const { operation, from, to } = ability
    const variants = [{}, ...ability.options.flatMap(({ name }) => (name === 'ocr' ? [{ ocr: true }] : []))]
    for (const more of variants) {
      const options = { ...requiredOf(ability), ...more }
      const family = familyOf({ ...ability, options }) ?? ''
      // Workers that run routes have every root.
      const root = Object.keys(roots).find((name) => roots[name]?.includes(family))
      if (root === undefined) continue
      const needed = walkPlans(ability, options).plans.flatMap(({ steps }) => steps.flatMap(needsOf))
      const lacking = needed.filter((name) => !given.get(root)?.has(name))
      for (const name of lacking) missing.set(`${root}: ${name}`, `${operation} ${from} → ${to}`)
    }
  }
  expect(Object.fromEntries(missing)).toEqual({})
})

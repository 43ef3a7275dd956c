import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { openText } from './open-text.ts'
import { fileOf, runTool } from './run-tool.ts'

/** FreeType's names of what is inside each kind of font. */
const fonts: Readonly<Record<string, string>> = { ttf: 'TrueType', woff: 'TrueType|CFF', woff2: 'TrueType|CFF' }
const models = ['obj', 'stl', 'ply', 'glb', 'dae', '3ds', 'x', 'fbx', 'x3d']
const subtitles = ['srt', 'vtt', 'ass', 'lrc']

type Opener = (bench: PlanBench, given: Given) => Promise<Facts>

const openers: Readonly<Record<string, Opener>> = {
  ...Object.fromEntries(Object.keys(fonts).map((format) => [format, openFont])),
  ...Object.fromEntries(models.map((format) => [format, openModel])),
  ...Object.fromEntries(subtitles.map((format) => [format, openSubtitles])),
  ttml: openTtml,
}

/** Who opens fonts, models and subtitles. */
export function findOpener(format: string): Opener | undefined {
  return openers[format]
}

async function openFont(bench: PlanBench, given: Given): Promise<Facts> {
  const args = ['--format', '%{family}|%{fontformat}\\n', fileOf(given)]
  const { stdout } = await runTool(bench, 'fc-scan', args, { given })
  if (!new RegExp(`^[^|\\n]+\\|(?:${fonts[given.format]})$`, 'm').test(stdout)) refuse(given.format, stdout)
  return { format: given.format }
}

async function openModel(bench: PlanBench, given: Given): Promise<Facts> {
  const { stdout } = await runTool(bench, 'assimp', ['info', fileOf(given)], { given })
  if (!(Number(/^Faces: +(\d+)/m.exec(stdout)?.[1]) > 0)) refuse(given.format, 'it has no faces')
  return { format: given.format }
}

async function openSubtitles(bench: PlanBench, given: Given): Promise<Facts> {
  openText(given)
  const args = [
    '-v',
    'error',
    '-count_packets',
    '-show_entries',
    'stream=nb_read_packets',
    '-of',
    'csv=p=0',
    fileOf(given),
  ]
  const { stdout } = await runTool(bench, 'ffprobe', args, { given })
  if (!(Number.parseInt(stdout, 10) >= 2)) refuse(given.format, `it has ${stdout.trim()} subtitles`)
  return { format: given.format }
}

const countTtml = `import sys
from lxml import etree
print(len(etree.parse(sys.argv[1]).getroot().findall(".//{http://www.w3.org/ns/ttml}p")))`

async function openTtml(bench: PlanBench, given: Given): Promise<Facts> {
  const { stdout } = await runTool(bench, 'python3', ['-c', countTtml, fileOf(given)], { given })
  if (!(Number(stdout) >= 2)) refuse(given.format, `it has ${stdout.trim()} subtitles`)
  return { format: given.format }
}

import type { PlanBench } from '@lathe/testing'
import { parquetReadObjects } from 'hyparquet'
import { type Facts, type Given, refuse } from './facts.ts'
import { openText } from './open-text.ts'
import { fileOf, runTool } from './run-tool.ts'

/** FreeType's names for the contents of each kind of font. */
const fonts: Readonly<Record<string, string>> = { ttf: 'TrueType', woff: 'TrueType|CFF', woff2: 'TrueType|CFF' }
const models = ['obj', 'stl', 'ply', 'glb', 'dae', '3ds', 'x', 'fbx', 'x3d']
const archives = ['zip', '7z', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst']
const subtitles = ['srt', 'vtt', 'ass', 'lrc']

type Opener = (bench: PlanBench, given: Given) => Promise<Facts>

const openers: Readonly<Record<string, Opener>> = {
  ...Object.fromEntries(Object.keys(fonts).map((format) => [format, openFont])),
  ...Object.fromEntries(models.map((format) => [format, openModel])),
  ...Object.fromEntries(subtitles.map((format) => [format, openSubtitles])),
  ...Object.fromEntries(archives.map((format) => [format, openArchive])),
  ttml: openTtml,
  parquet: openParquet,
}

/** The opener for archives, fonts, models and subtitles. */
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

// Python has built-in readers for most of them; libarchive writes them.
const readArchive = `import sys, tarfile, zipfile
name = sys.argv[1]
if name.endswith("zip"):
    archive = zipfile.ZipFile(name)
    assert archive.testzip() is None
    print(sum(one.file_size for one in archive.infolist()))
else:
    print(sum(len(archive.extractfile(one).read()) for archive in [tarfile.open(name)] for one in archive))`

async function openArchive(bench: PlanBench, given: Given): Promise<Facts> {
  const { format } = given
  const isForeign = format !== '7z' && format !== 'tar.zst'
  const { stdout } = isForeign
    ? await runTool(bench, 'python3', ['-c', readArchive, fileOf(given)], { given })
    : await runTool(bench, 'bsdtar', ['-tvf', fileOf(given)], { given })
  const bytes = Number(isForeign ? stdout : stdout.trim().split(/\s+/)[4])
  if (!(bytes > 0)) refuse(format, 'it holds nothing')
  return { format }
}

/** Read by the library for this format: no other program in the engine root knows it. */
async function openParquet(_bench: PlanBench, { format, bytes }: Given): Promise<Facts> {
  const content = new Uint8Array(bytes).buffer
  const rows = await parquetReadObjects({
    file: { byteLength: bytes.length, slice: (from, to) => content.slice(from, to) },
  })
  if (rows.length === 0 || Object.keys(rows[0] ?? {}).length === 0) refuse(format, 'there is nothing in it')
  return { format }
}

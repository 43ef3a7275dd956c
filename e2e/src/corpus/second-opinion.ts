import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { findFormat, formats } from '@lathe/formats'
import type { RealFile } from './collect-files.ts'
import explained from './explained.json' with { type: 'json' }
import type { Result } from './result.ts'

/** Media types that `file` uses for a format under another name than ours, or for several formats. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'application/vnd.ms-office': ['doc', 'xls', 'ppt', 'pub', 'vsd', 'wps', 'msg', 'hwp', 'dot'],
  'application/x-ole-storage': ['doc', 'xls', 'ppt', 'pub', 'vsd', 'wps', 'msg', 'hwp', 'sdw', 'sdc', 'sdd', 'sda'],
  'application/encrypted': ['docx', 'xlsx', 'pptx'],
  'application/zip': ['docx', 'xlsx', 'pptx', 'xlsb', 'pages', 'numbers', 'key', 'epub', 'xps', 'zip', 'vsdx', 'vsdm'],
  'application/vnd.ms-visio.drawing.main+xml': ['vsdx', 'vsdm'],
  'application/vnd.ms-excel': ['xls', 'xlsb'],
  'application/msword': ['doc', 'dot'],
  'application/octet-stream': [],
  'application/postscript': ['ps', 'eps', 'ai'],
  'application/pdf': ['pdf', 'ai'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx', 'xlsm', 'xltx', 'xlsb'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx', 'docm', 'dotx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx', 'pptm', 'ppsx'],
  'application/vnd.oasis.opendocument.text': ['odt', 'ott'],
  'application/x-shockwave-flash': ['swf'],
  'application/x-dbf': ['dbf'],
  'application/x-rar': ['rar'],
  'audio/mpeg': ['mp3', 'aac', 'mp2'],
  'audio/ogg': ['ogg', 'opus', 'spx'],
  'audio/x-aiff': ['aiff'],
  'audio/x-hx-aac-adts': ['aac'],
  'audio/x-m4a': ['m4a'],
  'audio/x-wav': ['wav'],
  'audio/vnd.dolby.dd-raw': ['ac3'],
  'image/heif': ['heic', 'avif'],
  'image/png': ['png', 'apng'],
  'image/tiff': ['tiff', 'raw'],
  'image/x-canon-cr2': ['raw'],
  'image/x-fuji-raf': ['raw'],
  'image/x-x3f': ['raw'],
  'image/x-ms-bmp': ['bmp'],
  'image/x-win-bitmap': ['cur', 'ico'],
  'image/x-icns': ['icns'],
  'image/x-qoi': ['qoi'],
  'image/x-pcx': ['pcx'],
  'image/x-jp2-codestream': ['jp2'],
  'image/x-portable-greymap': ['pgm'],
  'text/rtf': ['rtf'],
  'text/xml': ['xml', 'svg', 'fodt', 'fods', 'fodp', 'fodg', 'fb2', 'html', 'wordxml', 'excelxml'],
  'video/mp4': ['mp4', 'm4a', 'm4v'],
  'video/x-flc': ['fli'],
  'video/x-ms-asf': ['wma', 'wmv'],
  'video/x-msvideo': ['avi'],
  'video/x-matroska': ['mkv', 'webm'],
}

/** A file whose format `file` and the service see differently. */
export interface Disagreement {
  readonly file: string
  readonly ext: string
  readonly ours: string
  readonly theirs: string
}

/** Why Lathe, `file` or the extension differ, found by inspecting the files: extension, `file`, Lathe, reason. */
const reasons: readonly (readonly string[])[] = explained

/** One sentence on who is right. */
export function explain({ ext, ours, theirs }: Disagreement): string {
  const found = reasons.find((row) => row[0] === ext && row[1] === theirs && row[2] === ours)
  return found?.[3] ?? 'Not looked at yet.'
}

/** Asks `file` for the media type of every file, in one run. */
export async function askFile(files: readonly RealFile[]): Promise<ReadonlyMap<string, string>> {
  const asked = spawn('file', ['--brief', '--mime-type', '--files-from', '-'], { stdio: ['pipe', 'pipe', 'inherit'] })
  asked.stdin.end(files.map(({ path }) => `${path}\n`).join(''))
  const answers = (await text(asked.stdout)).split('\n')
  return new Map(files.map(({ name }, n) => [name, answers[n] ?? '']))
}

/**
 * The files for which `file` reports another known format. Plain text does not count: every text format is plain text.
 */
export function findDisagreements(
  results: readonly Result[],
  types: ReadonlyMap<string, string>,
): readonly Disagreement[] {
  const byFile = new Map(results.map((result) => [result.file, result]))
  return [...byFile.values()].flatMap(({ file, ext, format: ours }) => {
    const theirs = types.get(file) ?? ''
    const fitting = otherNames[theirs] ?? formats.filter(({ mediaType }) => mediaType === theirs).map((one) => one.ext)
    const isSame =
      fitting.length === 0 || theirs.startsWith('text/plain') || fitting.includes(findFormat(ours)?.ext ?? ours)
    return isSame ? [] : [{ file, ext, ours, theirs }]
  })
}

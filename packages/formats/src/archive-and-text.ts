import { dataRows } from './data-rows.ts'
import { toFormats } from './format.ts'
import { markupRows } from './markup-rows.ts'

/** Files that contain other files. */
export const archiveFormats = toFormats('archive', [
  ['zip', 'application/zip', 'ZIP archive'],
  ['7z', 'application/x-7z-compressed', '7-Zip archive'],
  ['tar', 'application/x-tar', 'Tar archive'],
  ['rar', 'application/vnd.rar', 'RAR archive'],
  ['iso', 'application/vnd.efi.iso', 'Disc image'],
  ['gz', 'application/gzip', 'Gzip file', 'gzip'],
  ['bz2', 'application/x-bzip2', 'Bzip2 file'],
  ['xz', 'application/x-xz', 'XZ file'],
  ['zst', 'application/zstd', 'Zstandard file'],
  ['tar.gz', 'application/gzip', 'Tar archive compressed with gzip', 'tgz'],
  ['tar.bz2', 'application/x-bzip2', 'Tar archive compressed with bzip2', 'tbz2', 'tbz'],
  ['tar.xz', 'application/x-xz', 'Tar archive compressed with XZ', 'txz'],
  ['tar.zst', 'application/zstd', 'Tar archive compressed with Zstandard', 'tzst'],
])

/** Text and markup. The bytes seldom show which format it is, so the file name decides. */
export const textFormats = toFormats('text', [
  ['txt', 'text/plain', 'Plain text', 'text'],
  ['csv', 'text/csv', 'Comma-separated values'],
  ['tsv', 'text/tab-separated-values', 'Tab-separated values'],
  ['html', 'text/html', 'Web page', 'htm', 'xhtml'],
  ['hocr', 'text/vnd.hocr+html', 'Recognized text with positions (hOCR)'],
  ['mhtml', 'multipart/related', 'Web page with all it shows', 'mht'],
  ['json', 'application/json', 'JSON data'],
  ['xml', 'application/xml', 'XML document'],
  ['md', 'text/markdown', 'Markdown text', 'markdown'],
  ...dataRows,
  ...markupRows,
  ['srt', 'application/x-subrip', 'SubRip subtitles'],
  ['vtt', 'text/vtt', 'WebVTT subtitles', 'webvtt'],
  ['ass', 'text/x-ass', 'Advanced SubStation Alpha subtitles'],
  ['ssa', 'text/x-ssa', 'SubStation Alpha subtitles'],
  ['sub', 'text/x-microdvd', 'MicroDVD subtitles'],
  ['smi', 'application/x-sami', 'SAMI subtitles', 'sami'],
  ['lrc', 'text/x-lrc', 'LRC lyrics'],
  ['mpl2', 'text/x-mpl2', 'MPL2 subtitles', 'mpl'],
  ['jss', 'text/x-jacosub', 'JACOsub subtitles'],
  ['pjs', 'text/x-pjs', 'Phoenix subtitles'],
  ['subviewer', 'text/x-subviewer', 'SubViewer subtitles'],
  ['ttml', 'application/ttml+xml', 'TTML subtitles', 'dfxp'],
])

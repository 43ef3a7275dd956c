import { toFormats } from './format.ts'

/** Files that hold other files. */
export const archiveFormats = toFormats('archive', [
  ['zip', 'application/zip', 'ZIP archive'],
  ['7z', 'application/x-7z-compressed', '7-Zip archive'],
  ['gz', 'application/gzip', 'Gzip file', 'gzip', 'tgz'],
  ['tar', 'application/x-tar', 'Tar archive'],
  ['rar', 'application/vnd.rar', 'RAR archive'],
])

/** Text and markup: the bytes hardly ever say which, so names count here. */
export const textFormats = toFormats('text', [
  ['txt', 'text/plain', 'Plain text', 'text'],
  ['csv', 'text/csv', 'Comma-separated values'],
  ['html', 'text/html', 'Web page', 'htm', 'xhtml'],
  ['mhtml', 'multipart/related', 'Web page with all it shows', 'mht'],
  ['json', 'application/json', 'JSON data'],
  ['xml', 'application/xml', 'XML document'],
  ['md', 'text/markdown', 'Markdown text', 'markdown'],
])

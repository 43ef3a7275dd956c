import { findFormat } from '@lathe/formats'

/** What files of a format are most often converted to, the most frequent target first. */
const byFormat: Readonly<Record<string, readonly string[]>> = {
  jpg: ['png'],
  png: ['jpg', 'webp'],
  tiff: ['png', 'pdf'],
  svg: ['png', 'pdf'],
  gif: ['png', 'webp'],
  webp: ['jpg'],
  avif: ['jpg'],
  heic: ['jpg'],
  eps: ['pdf', 'png'],
  ai: ['pdf', 'png'],
  ps: ['pdf', 'png'],
  emf: ['png', 'pdf'],
  wmf: ['png', 'pdf'],
  pdf: ['png', 'txt', 'docx'],
  docx: ['pdf', 'txt'],
  doc: ['pdf', 'docx'],
  odt: ['pdf', 'docx'],
  rtf: ['pdf', 'docx'],
  xlsx: ['pdf', 'csv'],
  xls: ['pdf', 'xlsx'],
  ods: ['pdf', 'xlsx'],
  ppt: ['pdf', 'pptx'],
  csv: ['xlsx', 'pdf'],
  html: ['pdf', 'docx'],
  md: ['html', 'docx', 'pdf'],
  epub: ['pdf', 'txt', 'docx'],
  fb2: ['pdf', 'html', 'docx'],
  mobi: ['epub', 'pdf', 'txt'],
  stl: ['obj'],
  obj: ['stl'],
  ply: ['obj'],
  ttf: ['woff2'],
  otf: ['woff2'],
  ics: ['csv'],
  vcf: ['csv'],
  mp3: ['wav'],
  mp4: ['mp3', 'gif'],
}

const byFamily: Readonly<Record<string, readonly string[]>> = {
  image: ['png'],
  audio: ['mp3'],
  video: ['mp4'],
  document: ['pdf'],
  text: ['pdf'],
  archive: ['pdf'],
}

/** The conversions to try for a file, by its format or by the extension of an unknown format. */
export function targetsFor(ext: string): readonly string[] {
  const format = findFormat(ext)
  const targets = (format && (byFormat[format.ext] ?? byFamily[format.family])) ?? ['pdf']
  return targets.filter((to) => to !== format?.ext)
}

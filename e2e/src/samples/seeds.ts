import type { FixtureName } from '../../../fixtures/fixtures.ts'

/**
 * The fixtures all other samples are made from. Order is preference: a format that several of them can become is made
 * from the first.
 */
export const seeds: Readonly<Record<string, FixtureName>> = {
  flac: 'tone.flac',
  png: 'alpha.png',
  jpg: 'photo-40k.jpg',
  mp4: 'clip.mp4',
  gif: 'animated.gif',
  webp: 'photo.webp',
  avif: 'photo.avif',
  tiff: 'photo.tiff',
  svg: 'text.svg',
  raw: 'halves.dng',
  xcf: 'halves.xcf',
  amr: 'noise.amr',
  odt: 'letter.odt',
  docx: 'letter.docx',
  ods: 'table.ods',
  xlsx: 'table.xlsx',
  odp: 'slides.odp',
  odg: 'drawing.odg',
  vsdx: 'label.vsdx',
  pdf: 'two-pages.pdf',
  // What Illustrator saves today is a PDF by another name.
  ai: 'two-pages.pdf',
  ps: 'pages.ps',
  eps: 'drawing.eps',
  mhtml: 'page.mhtml',
  swf: 'clip.swf',
  wtv: 'clip.wtv',
  rm: 'clip.rm',
  ra: 'tone.ra',
  mid: 'score.mid',
  mod: 'square.mod',
  dsf: 'silence.dsf',
  ape: 'silence.ape',
  eml: 'message.eml',
  mbox: 'mailbox.mbox',
  msg: 'message.msg',
}

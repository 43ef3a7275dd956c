import type { PlanBench } from '@lathe/testing'
import { dataSources } from '../../../fixtures/data.ts'
import { mapSources } from '../../../fixtures/maps.ts'
import { markupSources } from '../../../fixtures/markup.ts'
import { modelSources } from '../../../fixtures/models.ts'
import { oldDocuments } from '../../../fixtures/office/old-documents.ts'
import { sources } from '../../../fixtures/office/sources.ts'
import { sampleMpc } from '../../../fixtures/sample-audio.ts'
import { sampleIt, sampleS3m, sampleXm } from '../../../fixtures/sample-modules.ts'
import { subtitleSources } from '../../../fixtures/subtitles.ts'
import { makeDjvu, makeXps } from '../../../packages/engines/src/testing/make-pages.ts'
import { redPixel } from '../../../packages/engines/src/testing/sample-books.ts'
import { sampleDicom } from '../../../packages/engines/src/testing/sample-dicom.ts'
import { sampleDxf } from '../../../packages/engines/src/testing/sample-dxf.ts'
import { makeFont } from '../../../packages/engines/src/testing/sample-fonts.ts'
import { makeMedia, mediaFormats } from '../../../packages/engines/src/testing/sample-media.ts'
import { makeMobi } from '../../../packages/engines/src/testing/sample-mobi.ts'
import { makePicture } from '../../../packages/engines/src/testing/sample-pictures.ts'

/** An archive with one text, written by bsdtar. */
function packed(...args: readonly string[]): Maker {
  return async (bench) => {
    const files = { 'text.txt': 'A text in an archive.\n' }
    const { outputs } = await bench.tool('bsdtar', [...args, '-cf', 'out', 'text.txt'], { files, outputs: ['out'] })
    return outputs.out ?? Buffer.alloc(0)
  }
}

/** A book with two chapters and an image. */
function makeKindleBook(): Buffer {
  const chapters = ['One', 'Two'].map(
    (name) => `<h1>Chapter ${name}</h1><p>${'Words of a chapter. '.repeat(40)}</p><mbp:pagebreak/>`,
  )
  const text = `<html><body>${chapters.join('')}<img recindex="00001" alt="red"></body></html>`
  return makeMobi({
    text,
    compression: 2,
    images: [redPixel],
    about: { 100: 'Ada Lovelace', 503: 'A book', 524: 'en' },
  })
}

type Maker = (bench: PlanBench) => Buffer | Promise<Buffer>

/** Formats that no engine writes: other programs of the engine root or our own code do. */
export const makers: Readonly<Record<string, Maker>> = {
  ...oldDocuments,
  ...Object.fromEntries(
    Object.entries({ ...markupSources, ...subtitleSources, ...modelSources, ...dataSources, ...mapSources }).map(
      ([format, text]) => [format, () => Buffer.from(text)],
    ),
  ),
  ...Object.fromEntries(mediaFormats.map((format): [string, Maker] => [format, (bench) => makeMedia(bench, format)])),
  ...Object.fromEntries(
    ['ttf', 'otf', 'ttc'].map((format): [string, Maker] => [format, (bench) => makeFont(bench, format)]),
  ),
  xml: () => Buffer.from(sources.xml),
  json: () => Buffer.from(sources.json),
  dcm: () => sampleDicom({ frames: 2, bits: 16, window: [2048, 4096] }),
  dxf: () => sampleDxf(),
  xps: makeXps,
  djvu: makeDjvu,
  mobi: makeKindleBook,
  mpc: sampleMpc,
  s3m: sampleS3m,
  xm: sampleXm,
  it: sampleIt,
  zip: packed('--format=zip'),
  '7z': packed('--format=7zip'),
  iso: packed('--format=iso9660', '--options', 'rockridge=useful'),
  tar: packed('--format=pax'),
  'tar.gz': packed('-z'),
  'tar.bz2': packed('-j'),
  'tar.xz': packed('-J'),
  'tar.zst': packed('--zstd'),
  gz: packed('-z'),
  bz2: packed('-j'),
  xz: packed('-J'),
  zst: packed('--zstd'),
  pcd: (bench) => makePicture(bench, 'pcd'),
}

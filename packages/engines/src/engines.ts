import { archives } from './archive/archive.ts'
import { browser } from './browser/browser.ts'
import { compare } from './compare/compare.ts'
import { data } from './data/data.ts'
import { dicom } from './dicom/dicom.ts'
import type { Engine } from './engine.ts'
import { ffmpeg } from './ffmpeg/ffmpeg.ts'
import { fonts } from './fonts/fonts.ts'
import { measuredRoutes } from './generated/measured-routes.ts'
import { magick } from './magick/magick.ts'
import { mail } from './mail/mail.ts'
import { maps } from './maps/maps.ts'
import { metadata } from './metadata/metadata.ts'
import { models } from './models/models.ts'
import { office } from './office/office.ts'
import { optimize } from './optimize/optimize.ts'
import { packages } from './package/package.ts'
import { pandoc } from './pandoc/pandoc.ts'
import { pdf } from './pdf/pdf.ts'
import { createRoutes } from './routes/routes.ts'
import { createThumbnailRoutes } from './routes/thumbnail-routes.ts'
import { speech } from './speech/speech.ts'
import { subtitles } from './subtitles/subtitles.ts'
import { withThumbnails } from './thumbnail/with-thumbnails.ts'
import { vips } from './vips/vips.ts'

// In order of preference: the first engine that has an ability is used.
const direct: readonly Engine[] = [
  ...[vips, pdf, magick, office].map(withThumbnails),
  optimize,
  browser,
  pandoc,
  mail,
  ffmpeg,
  subtitles,
  speech,
  models,
  dicom,
  fonts,
  data,
  maps,
  packages,
  archives,
  compare,
  metadata,
]

/** Conversions that chain several engines. */
export const routes = createRoutes(direct, measuredRoutes)

/** Every engine, in order of preference. Those with several steps are last, so that direct ones are preferred. */
export const engines: readonly Engine[] = [...direct, createThumbnailRoutes(direct), routes]

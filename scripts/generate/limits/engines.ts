import { archiveStepLimits } from '../../../packages/engines/src/archive/limits.ts'
import { compareStepLimits } from '../../../packages/engines/src/compare/limits.ts'
import { dataStepLimits } from '../../../packages/engines/src/data/limits.ts'
import { parquetStepLimits } from '../../../packages/engines/src/data/parquet/limits.ts'
import { dicomStepLimits } from '../../../packages/engines/src/dicom/limits.ts'
import { officeStepLimits } from '../../../packages/engines/src/documents/limits.ts'
import { fontLimits } from '../../../packages/engines/src/fonts/fonts.ts'
import { mapStepLimits } from '../../../packages/engines/src/maps/limits.ts'
import { pandocStepLimits, printLimits } from '../../../packages/engines/src/markup/limits.ts'
import { mailPrintLimits } from '../../../packages/engines/src/markup/mail-limits.ts'
import { encodeLimits } from '../../../packages/engines/src/media/limits.ts'
import { metadataStepLimits } from '../../../packages/engines/src/metadata/limits.ts'
import { modelLimits } from '../../../packages/engines/src/models/models.ts'
import { optimizeStepLimits } from '../../../packages/engines/src/optimize/limits.ts'
import { packageStepLimits } from '../../../packages/engines/src/package/limits.ts'
import { djvuLimits, ocrLimits, pdfStepLimits, postscriptLimits } from '../../../packages/engines/src/pages/limits.ts'
import { magickStepLimits } from '../../../packages/engines/src/pictures/decoder-limits.ts'
import { vipsStepLimits } from '../../../packages/engines/src/pictures/limits.ts'
import { browserStepLimits } from '../../../packages/engines/src/printing/limits.ts'
import { recognizeLimits, speechLimits } from '../../../packages/engines/src/speech/limits.ts'
import { openFiles } from '../../../packages/sandbox/src/launch-command.ts'
import { profileOf } from '../../../packages/sandbox/src/profiles.ts'
import { stderrLimit } from '../../../packages/sandbox/src/start-process.ts'
import { defaultOf } from './default-of.ts'
import { bytes, count, type Limit, type LimitGroup, seconds, unmeasured } from './limit.ts'

const sandboxDefault = await defaultOf('packages/sandbox')

/** What one run of an engine may use, by kind of input. */
export const steps = {
  'Images (libvips)': vipsStepLimits,
  'Images (ImageMagick, Pillow, libjxl, LibRaw)': magickStepLimits,
  'Images, optimized': optimizeStepLimits,
  'PDF, XPS': pdfStepLimits,
  DjVu: djvuLimits,
  PostScript: postscriptLimits,
  'Text recognition': ocrLimits,
  'Office documents': officeStepLimits,
  'Office documents and books, compressed': packageStepLimits,
  'Web pages': browserStepLimits,
  'Books, Markdown, mail': pandocStepLimits,
  'Books, printed': printLimits,
  'Mail, printed': mailPrintLimits,
  Archives: archiveStepLimits,
  'Reports of comparisons': compareStepLimits,
  '3D models': modelLimits,
  'Medical images': dicomStepLimits,
  Fonts: fontLimits,
  'Data, calendars, contacts': dataStepLimits,
  'Parquet tables': parquetStepLimits,
  Maps: mapStepLimits,
  Metadata: metadataStepLimits,
  'Audio and video, at most': encodeLimits(0, undefined),
  'Transcripts, at most': recognizeLimits(speechLimits.seconds),
} as const

const times: readonly Limit[] = Object.entries(steps).map(([what, { timeMs }]) => ({
  id: 'L-time',
  name: `Time of one step: ${what}`,
  cell: { row: what, column: 'time' },
  value: seconds(timeMs / 1000),
  beyond:
    'The step is stopped within 2 seconds, and the task fails with `engine_timeout`. Use a smaller file or simpler options.',
  real: unmeasured.time,
}))

const memory: readonly Limit[] = Object.entries(steps).map(([what, { memoryBytes }]) => ({
  id: 'L-memory',
  name: `Memory of one step: ${what}`,
  cell: { row: what, column: 'memory' },
  value: bytes(memoryBytes),
  beyond: 'The kernel ends the step, and the task fails with `limit_exceeded`. Use a smaller file.',
  real: unmeasured.memory,
}))

const outputs: readonly Limit[] = Object.entries(steps)
  .filter(([what]) => !what.startsWith('Audio'))
  .map(([what, { outputBytes }]) => ({
    id: 'L-output',
    name: `Files that one step writes: ${what}`,
    cell: { row: what, column: 'output' },
    value: bytes(outputBytes),
    beyond: 'The step is stopped, and the task fails with `limit_exceeded`. Ask for fewer pages or a smaller size.',
    real: unmeasured.memory,
  }))

/** Limits of every engine in its sandbox. */
export const engines: LimitGroup = {
  title: 'Engines',
  limits: [
    ...times,
    ...memory,
    ...outputs,
    {
      id: 'L-entries',
      name: 'Files an engine may leave (`SANDBOX_ENTRIES`)',
      value: count(sandboxDefault('SANDBOX_ENTRIES')),
      beyond: 'The step is stopped, and the task fails with `limit_exceeded`. Ask for fewer pages or images.',
      real: 'resultFiles',
    },
    {
      id: 'L-descriptors',
      name: 'Files an engine may have open at once',
      value: count(openFiles),
      beyond: 'The engine cannot open another.',
      real: unmeasured.memory,
    },
    {
      id: 'L-processes',
      name: 'Processes and threads of most engines',
      value: count(profileOf('plain').processes),
      beyond: 'The engine cannot start another.',
      real: unmeasured.memory,
    },
    {
      id: 'L-processes',
      name: 'Processes and threads of FFmpeg, LibreOffice, Chromium and text recognition',
      value: count(profileOf('office').processes),
      beyond: 'The engine cannot start another.',
      real: unmeasured.memory,
    },
    {
      id: 'L-stderr',
      name: 'Bytes kept of what an engine writes to standard error',
      value: bytes(stderrLimit),
      beyond: 'The last bytes are kept for the log.',
      real: unmeasured.memory,
    },
  ],
}

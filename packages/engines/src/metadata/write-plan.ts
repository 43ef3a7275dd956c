import { type Failure, failure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import type { Plan, ProcessStep, SourceFile } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import { qpdfStep } from '../pages/qpdf-step.ts'
import type { Changes } from './changes.ts'
import { cleanPdfScript } from './clean-pdf-script.ts'
import { copyStep } from './copy-step.ts'
import { exiftoolArgs } from './exiftool-args.ts'
import type { Writer } from './formats.ts'
import { metadataStepLimits } from './limits.ts'
import { notRemovable, notWritable, readWriteExit } from './refusals.ts'
import { readStreams, streamsStep } from './streams.ts'
import { metadataTool } from './tool.ts'

type ExifWriter = Exclude<Writer, 'ffmpeg'>

/** Plans a file with new metadata and the same content, written by ExifTool. */
export function planWriting(source: SourceFile, writer: ExifWriter, changes: Changes): Plan {
  const isVideo = writer === 'itemlist' || writer === 'keys'
  if (!isVideo || changes.remove === 'none') return writing(source, writer, changes)
  return {
    kind: 'plan',
    steps: [streamsStep(source, 'stream=codec_type')],
    outputs: [],
    warnings: [],
    next({ stdout }) {
      const hasData = readStreams(stdout[0] ?? '').streams.some(({ codec_type }) => codec_type === 'data')
      return hasData ? withoutData(source, writer, changes) : writing(source, writer, changes)
    },
  }
}

const noData = 'Tracks of timed data, such as positions and sensors of the camera, were removed.'

// Cameras store their location in a data track, frame by frame. ExifTool cannot change it.
function withoutData(source: SourceFile, writer: ExifWriter, changes: Changes): Plan {
  const plain = `tracks.${source.format}`
  const plan = writing({ ...source, file: plain }, writer, changes)
  const steps = [
    copyStep(source, { args: ['-map', '0', '-map', '-0:d', '-c', 'copy', '-write_tmcd', '0'], out: plain }),
    ...plan.steps,
  ]
  return { ...plan, steps, warnings: [...plan.warnings, noData] }
}

function writing(source: SourceFile, writer: ExifWriter, changes: Changes): Plan {
  const { format, file } = source
  const out = `out-0.${format}`
  const outputs = [{ file: out, format, source: 0 }]
  const next: Plan['next'] = ({ stdout }) => checkWritten(stdout, changes) ?? ended(outputs)
  if (writer !== 'pdf') {
    const write = writeStep({ file, out, writer, format }, changes)
    const steps = changes.remove === 'none' ? [write] : [write, lookStep(out, writer, changes)]
    return { kind: 'plan', steps, outputs, warnings: [], next }
  }
  const [cleaned, edited] = ['cleaned.pdf', 'edited.pdf']
  const isCleaned = changes.remove !== 'none'
  const steps = [
    // Either step also repairs damage that ExifTool cannot handle.
    isCleaned ? cleanStep(file, cleaned) : qpdfStep([file, cleaned], { out: cleaned }),
    writeStep({ file: cleaned, out: edited, writer, format }, changes),
    // ExifTool appends its changes and leaves the old values in the file. Only rewriting the file removes them.
    qpdfStep(['--object-streams=generate', edited, out], { out }),
  ]
  return { kind: 'plan', steps, outputs, warnings: isCleaned ? [ofTheirOwn] : [], next }
}

const ofTheirOwn = 'Images, attachments and comments inside the PDF keep metadata of their own.'

/** ExifTool copies a file it could not change and exits with 0. */
function checkWritten(stdout: readonly string[], { remove, ...values }: Changes): Failure | undefined {
  if (remove !== 'none' && (stdout.at(-1) ?? '').trim() !== '') return failure('unsupported', { text: notRemovable })
  const isChange = Object.values(values).flat().length > 0
  if (!isChange || !stdout.some((text) => /files copied$/m.test(text))) return undefined
  return failure('unsupported', { text: notWritable })
}

const neverLeft = ['GPSLatitude', 'GPSLongitude', 'GPSCoordinates', '*SerialNumber*', 'OwnerName', 'MakerNotes:all']

/**
 * Checks whether a file still contains metadata that should be removed: ExifTool exits with 0 even if it cannot remove
 * what it reads.
 */
function lookStep(file: string, writer: ExifWriter, { remove, author }: Changes): ProcessStep {
  const isImage = writer !== 'itemlist' && writer !== 'keys'
  const tags = [
    ...neverLeft,
    ...(isImage ? ['Software', 'HostComputer'] : []),
    ...(isImage && author === undefined ? ['Artist'] : []),
    ...(remove === 'all' ? ['Make', 'Model', 'Software'] : []),
  ]
  return {
    kind: 'process',
    profile: metadataTool.name,
    program: 'exiftool',
    // Prints one line per tag found.
    args: ['-config', '', '-q', '-q', '-a', '-s', ...tags.map((tag) => `-${tag}`), '--ICC_Profile:all', file],
    outputs: [],
    limits: metadataStepLimits,
    weight: 0.3,
    capture: true,
    readExit: () => ({}),
  }
}

function cleanStep(file: string, out: string): ProcessStep {
  return processStep('python3', ['clean.py', file, out], { out, modules: { clean: cleanPdfScript } })
}

interface WriteRun {
  readonly file: string
  readonly out: string
  readonly writer: ExifWriter
  readonly format: string
}

function writeStep(run: WriteRun, changes: Changes): ProcessStep {
  return {
    kind: 'process',
    profile: metadataTool.name,
    program: 'exiftool',
    args: ['-config', '', '-@', 'write.args'],
    writes: [{ file: 'write.args', text: exiftoolArgs(run, changes) }],
    outputs: [run.out],
    limits: metadataStepLimits,
    capture: true,
    readExit: readWriteExit,
  }
}

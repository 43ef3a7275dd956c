import { findFormat } from '@lathe/formats'
import { ended } from '../alongside.ts'
import type { JsonObject, Plan, ProcessStep, SourceFile } from '../engine.ts'
import { readJsonLines } from '../json-lines.ts'
import { media, zipDocuments } from './formats.ts'
import { metadataLimits, metadataStepLimits } from './limits.ts'
import type { MetadataOptions } from './options.ts'
import { partsScript } from './parts-script.ts'
import { pdfAStep, readPdfA } from './pdf-a.ts'
import { readScript } from './read-script.ts'
import { readRefusal } from './refusals.ts'
import { readStreams, streamsStep } from './streams.ts'
import { metadataTool } from './tool.ts'

const out = 'out-0.json'
const shortened = 'Long values and lists were shortened.'

/**
 * Plans the metadata of a file as JSON. For audio and video, ffprobe reads the streams first. For a PDF, Lathe's own
 * script can check PDF/A.
 */
export function planReading(source: SourceFile, options: MetadataOptions): Plan {
  const { values = 'text', check_pdf_a: isChecked = false } = options
  const ask: JsonObject = {
    file: source.file,
    format: source.format,
    out,
    values,
    parts: zipDocuments.includes(source.format),
    media: zipDocuments.includes(source.format) ? (findFormat(source.format)?.mediaType ?? '') : '',
    limits: { ...metadataLimits },
  }
  const more = moreAbout(source, isChecked)
  if (more === undefined) return readingOf(ask)
  return {
    kind: 'plan',
    steps: [more.step],
    outputs: [],
    warnings: [],
    next: ({ stdout }) => readingOf({ ...ask, ...more.read(stdout[0] ?? '') }),
  }
}

/** Facts that ExifTool does not provide. */
function moreAbout(source: SourceFile, isChecked: boolean) {
  if (media.includes(source.format)) return { step: streamsStep(source), read: readStreams }
  return isChecked ? { step: pdfAStep(source), read: readPdfA } : undefined
}

function readingOf(ask: JsonObject): Plan {
  const outputs = [{ file: out, format: 'json', source: 0 }]
  const next: Plan['next'] = ({ stdout }) =>
    ended(outputs, readJsonLines(stdout).some(({ cut }) => cut === true) ? [shortened] : [])
  return { kind: 'plan', steps: [readStep(ask)], outputs, warnings: [], next }
}

function readStep(ask: JsonObject): ProcessStep {
  return {
    kind: 'process',
    profile: metadataTool.name,
    program: 'python3',
    args: ['read.py'],
    modules: { read: readScript, parts: partsScript },
    writes: [{ file: 'read.json', text: JSON.stringify(ask) }],
    outputs: [out],
    limits: metadataStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}

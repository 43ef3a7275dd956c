import type { EngineFamily } from '@lathe/domain'
import { failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, SourceFile } from '../engine.ts'
import { checkOneSource } from '../plan-options.ts'
import { readChanges } from './changes.ts'
import { planTagging } from './ffmpeg-plan.ts'
import { media, readableFormats, writers, zipDocuments } from './formats.ts'
import { openedPdf } from './opened-pdf.ts'
import { type MetadataOptions, readOptions, writeOptions } from './options.ts'
import { planReading } from './read-plan.ts'
import { metadataTool } from './tool.ts'
import { planWriting } from './write-plan.ts'

const abilities = [
  ...readableFormats.map(
    (from) =>
      ({
        operation: 'metadata',
        from,
        to: 'json',
        options: readOptions(from),
        ...inFamily(from),
      }) satisfies Ability,
  ),
  ...Object.keys(writers).map(
    (from) =>
      ({
        operation: 'metadata',
        from,
        to: from,
        options: writeOptions(from),
        ...inFamily(from),
      }) satisfies Ability,
  ),
]

function inFamily(format: string): { readonly family: EngineFamily } | undefined {
  if (format === 'pdf') return { family: 'pdf' }
  if (media.includes(format)) return { family: 'av' }
  return zipDocuments.includes(format) ? { family: 'office' } : undefined
}

const nothingToChange =
  'Nothing is to change. Give at least one of the options remove, title, author, description, copyright, keywords and date, or read the metadata with json as the output format.'

/** Reads, writes and strips the metadata of files with ExifTool, FFmpeg and qpdf. */
export const metadata: Engine = {
  id: 'metadata',
  family: 'image',
  tools: [metadataTool],
  cost: { startS: 0.6, perMiBS: 0.1 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective, warnings } = checked
    const act = actOf(request.to, source, effective)
    if (act === undefined) return failure('unsupported', { text: nothingToChange })
    const plan = source.format === 'pdf' ? openedPdf(source, effective.password, act) : act(source)
    return { ...plan, warnings: [...warnings, ...plan.warnings] }
  },
}

type Act = (source: SourceFile) => Plan

function actOf(to: string, { format }: SourceFile, options: MetadataOptions): Act | undefined {
  if (to === 'json') return (source) => planReading(source, options)
  const changes = readChanges(options)
  const writer = writers[format]
  if (changes === undefined || writer === undefined) return undefined
  if (writer === 'ffmpeg') return (source) => planTagging(source, changes)
  return (source) => planWriting(source, writer, changes)
}

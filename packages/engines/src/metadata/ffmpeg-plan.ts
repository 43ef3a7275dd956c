import type { Plan, ProcessStep, SourceFile } from '../engine.ts'
import { inputRules } from '../media/input.ts'
import type { Changes } from './changes.ts'
import { copyStep } from './copy-step.ts'
import { id3Script } from './id3-script.ts'
import { metadataStepLimits } from './limits.ts'
import { readStreams, streamsStep } from './streams.ts'
import { metadataTool } from './tool.ts'

/** What a recording keeps when private metadata is removed: the tags that players show. */
const kept = [
  ...[
    'title',
    'artist',
    'album',
    'album_artist',
    'composer',
    'performer',
    'genre',
    'track',
    'disc',
    'date',
    'copyright',
  ],
  ...['description', 'comment', 'TRACKNUMBER', 'DISCNUMBER'],
]

const asked = [`format_tags=${kept.join(',')}`, 'stream=index', 'stream_tags=language'].join(':')

type Tags = readonly (readonly [name: string, value: string])[]

/** Plans a recording with new metadata and the same streams, written by FFmpeg. */
export function planTagging(source: SourceFile, changes: Changes): Plan {
  return {
    kind: 'plan',
    steps: [streamsStep(source, asked)],
    outputs: [],
    warnings: [],
    next({ stdout }) {
      const { container, streams } = readStreams(stdout[0] ?? '')
      const old: Tags = Object.entries(container).flatMap(([name, value]) =>
        changes.remove === 'private' && typeof value === 'string' ? [[name, value] as const] : [],
      )
      const languages = streams.map(({ language }) => (typeof language === 'string' ? language : ''))
      return tagged(source, changes, { old, languages })
    },
  }
}

function tagged(source: SourceFile, changes: Changes, found: { old: Tags; languages: readonly string[] }): Plan {
  const { format, file } = source
  const out = `out-0.${format}`
  const isMp3 = format === 'mp3'
  const written = isMp3 ? 'tagged.mp3' : out
  const steps = [tagStep(source, changes, { ...found, out: written })]
  const swap: ProcessStep = {
    kind: 'process',
    profile: metadataTool.name,
    program: 'python3',
    args: ['id3.py', file, written, out, changes.remove],
    modules: { id3: id3Script },
    outputs: [out],
    limits: metadataStepLimits,
  }
  const outputs = [{ file: out, format, source: 0 }]
  return { kind: 'plan', steps: isMp3 ? [...steps, swap] : steps, outputs, warnings: [] }
}

interface Tagging {
  readonly old: Tags
  readonly languages: readonly string[]
  readonly out: string
}

function tagStep(source: SourceFile, changes: Changes, { old, languages, out }: Tagging): ProcessStep {
  const isStripped = changes.remove !== 'none'
  const isAudio = source.format === 'mp3' || source.format === 'flac'
  // The first source takes precedence: the new values, then those of the file.
  const maps = isStripped
    ? ['-map_metadata', '1', '-map_metadata:s', '-1']
    : ['-map_metadata', '1', '-map_metadata', '0']
  const codes = isStripped ? languages.flatMap((code, n) => languageArgs(code, n)) : []
  const streams = isAudio && changes.remove === 'all' ? ['-map', '0:a'] : ['-map', '0']
  const own = source.format === 'mp3' ? ['-id3v2_version', '4', '-write_xing', '0'] : []
  return copyStep(source, {
    moreInputs: [...inputRules(['ffmetadata']), '-i', 'file:new.txt'],
    args: [...streams, '-c', 'copy', ...maps, ...codes, '-map_chapters', '0', '-fflags', '+bitexact', ...own],
    out,
    writes: [{ file: 'new.txt', text: ffmetadata([...tagsOf(changes, source.format), ...old]) }],
  })
}

// Only codes of two or three letters reach the arguments.
function languageArgs(code: string, stream: number): readonly string[] {
  return /^[a-z]{2,3}$/.test(code) ? [`-metadata:s:${stream}`, `language=${code}`] : []
}

function tagsOf({ title, author, description, copyright, keywords, date }: Changes, format: string): Tags {
  const about = format === 'mp3' || format === 'flac' ? 'comment' : 'description'
  const given: readonly (readonly [string, string | undefined])[] = [
    ['title', title],
    ['artist', author],
    [about, description],
    ['copyright', copyright],
    ['keywords', keywords.length > 0 ? keywords.join(', ') : undefined],
    ['date', date?.iso],
  ]
  return given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

// FFmpeg uses the last of several values with the same name, so later duplicates are left out.
/** A file in FFmpeg's metadata format. All special characters in names and values are escaped. */
export function ffmetadata(tags: Tags): string {
  const taken = new Set<string>()
  const lines = tags.flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (taken.has(key)) return []
    taken.add(key)
    return [`${escaped(name)}=${escaped(value)}`]
  })
  return [';FFMETADATA1', ...lines, ''].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/[=;#\\\n]/g, (one) => `\\${one}`)
}

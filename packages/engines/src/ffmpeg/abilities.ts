import type { ProcessingOperation } from '@lathe/operations'
import type { Ability } from '../engine.ts'
import { audioContainerNames, type Readable, readable } from '../media/containers.ts'
import type { OptionValues } from '../option-descriptor.ts'
import { animationOptions } from './animation-options.ts'
import { audioOptions } from './audio-options.ts'
import { audioCompressOptions, videoCompressOptions } from './compress-options.ts'
import {
  animationTrimOptions,
  cropOptions,
  soundSplitOptions,
  soundTrimOptions,
  videoSplitOptions,
  videoTrimOptions,
  watermarkOptions,
} from './cut-options.ts'
import { frameOptions, frameThumbnailOptions, waveThumbnailOptions } from './shape-options.ts'
import { silentOptions, videoOptions } from './video-options.ts'

type Kind = Readable['kind']
type OptionTable = Readonly<Record<string, readonly MediaOption[]>>

/** An option of any operation on audio or video. */
type MediaOption =
  | (typeof videoOptions | typeof videoCompressOptions | typeof videoSplitOptions)['mp4'][number]
  | (typeof cropOptions | typeof watermarkOptions)['mp4'][number]
  | (typeof audioOptions)['mp3'][number]
  | (typeof animationOptions)['gif' | 'webp'][number]
  | (typeof frameOptions | typeof frameThumbnailOptions)['jpg'][number]

export type MediaOptions = OptionValues<MediaOption>

/** The readable formats of some kinds. */
function sources(...kinds: Kind[]): readonly string[] {
  return Object.entries(readable).flatMap(([ext, { kind }]) => (kinds.includes(kind) ? [ext] : []))
}

/** Converts every source of some kinds to every target of a table. */
function convert(kinds: Kind[], table: OptionTable): readonly Ability<MediaOption>[] {
  return sources(...kinds).flatMap((from) =>
    Object.entries(table).map(([to, options]) => ({ operation: 'convert', from, to, options }) satisfies Ability),
  )
}

/** Abilities that keep the format. */
function keep(operation: ProcessingOperation, table: OptionTable): readonly Ability<MediaOption>[] {
  return Object.entries(table).map(([ext, options]) => ({ operation, from: ext, to: ext, options }))
}

function thumbnails(formats: readonly string[], table: OptionTable): readonly Ability<MediaOption>[] {
  return formats.flatMap((from) =>
    Object.entries(table).map(([to, options]) => ({ operation: 'thumbnail', from, to, options }) satisfies Ability),
  )
}

const ofSounds = (options: readonly MediaOption[]): OptionTable =>
  Object.fromEntries(audioContainerNames.map((ext) => [ext, options]))

/** All abilities of this engine. */
export const abilities: readonly Ability<MediaOption>[] = [
  ...convert(['video'], videoOptions),
  ...convert(['animation'], silentOptions),
  ...convert(['video', 'audio'], audioOptions),
  ...convert(['video'], animationOptions),
  ...convert(['video'], frameOptions),
  ...keep('compress', videoCompressOptions),
  ...keep('compress', audioCompressOptions),
  ...keep('crop', cropOptions),
  ...keep('watermark', watermarkOptions),
  ...keep('trim', videoTrimOptions),
  ...keep('trim', ofSounds(soundTrimOptions)),
  ...keep('trim', { gif: animationTrimOptions }),
  ...keep('split', videoSplitOptions),
  ...keep('split', ofSounds(soundSplitOptions)),
  ...thumbnails(sources('video'), frameThumbnailOptions),
  ...thumbnails(sources('audio'), waveThumbnailOptions),
]

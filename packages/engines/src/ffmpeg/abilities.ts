import type { Ability } from '../engine.ts'
import { audioOptions } from './audio-options.ts'
import { audioContainerNames, readable, videoContainerNames } from './containers.ts'
import { silentOptions, videoOptions } from './video-options.ts'

/** The formats of one kind that can be read. */
function sources(...kinds: string[]): readonly string[] {
  return Object.entries(readable).flatMap(([ext, { kind }]) => (kinds.includes(kind) ? [ext] : []))
}

/** Everything this engine does. */
export const abilities: readonly Ability[] = [
  ...sources('video').flatMap((from) =>
    videoContainerNames.map((to): Ability => ({ operation: 'convert', from, to, options: videoOptions[to] })),
  ),
  ...sources('animation').flatMap((from) =>
    videoContainerNames.map((to): Ability => ({ operation: 'convert', from, to, options: silentOptions[to] })),
  ),
  ...sources('video', 'audio').flatMap((from) =>
    audioContainerNames.map((to): Ability => ({ operation: 'convert', from, to, options: audioOptions[to] })),
  ),
]

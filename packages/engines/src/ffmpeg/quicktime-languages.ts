import type { Container } from '../media/containers.ts'
import type { StreamPlan } from './streams.ts'

// QuickTime has a list of its own: of two codes of ISO 639-2 for a language it knows one, and FFmpeg drops the other.
const known: Readonly<Record<string, string>> = {
  ...{ bod: 'tib', cym: 'wel', cze: 'ces', deu: 'ger', ell: 'gre', eus: 'baq', fas: 'per', fre: 'fra', hye: 'arm' },
  ...{ isl: 'ice', kat: 'geo', mkd: 'mac', msa: 'may', mya: 'bur', nld: 'dut', rum: 'ron', slo: 'slk', sqi: 'alb' },
  zho: 'chi',
}

/** The arguments that name the languages of tracks in the way that QuickTime files can store. */
export function languageArgs({ muxer }: Container, { video, audio, subtitles }: StreamPlan): readonly string[] {
  if (muxer !== 'mov') return []
  const kinds = { v: video ? [video.stream] : [], a: audio.map(({ stream }) => stream), s: subtitles }
  return Object.entries(kinds).flatMap(([kind, streams]) =>
    streams.flatMap(({ language }, n) => {
      const code = language === undefined ? undefined : known[language]
      return code === undefined ? [] : [`-metadata:s:${kind}:${n}`, `language=${code}`]
    }),
  )
}

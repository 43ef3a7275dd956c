import { type Container, findContainer } from '../media/containers.ts'
import type { MediaJob } from './job.ts'
import { isText, type Media } from './media.ts'
import { type MediaSettings, toMediaSettings } from './media-settings.ts'
import { planStreams, type StreamPlan } from './streams.ts'

interface Kept {
  readonly container: Container
  readonly streams: StreamPlan
  readonly settings: MediaSettings
}

/** Warnings about tracks of a file that its result does not have, although nobody asked to leave them out. */
export function lostTracks(media: Media, { container, streams, settings }: Kept): readonly string[] {
  // Whoever makes audio of a video does not expect the rest.
  if (container.video.length === 0) return []
  const { moreVideos = 0, attachments = 0 } = media
  // The default of formats without subtitles is none, whether it is given or not: nobody decided it.
  const usual = container.subtitles === undefined ? 'none' : 'keep'
  const isAsked = (settings.subtitles ?? usual) === usual
  const lost = media.subtitles.filter(({ index }) => isAsked && !streams.subtitles.some((kept) => kept.index === index))
  const images = container.subtitles === 'copy' ? [] : lost.filter((one) => !isText(one))
  const others = lost.length - images.length
  return [
    ...(moreVideos > 0 ? [`${tracks(moreVideos, 'further video')} left out: the first was kept.`] : []),
    ...(others > 0 ? [`${tracks(others, 'subtitle')} left out.`] : []),
    ...(images.length > 0 ? [`${tracks(images.length, 'subtitle')} left out: images cannot become text.`] : []),
    ...(attachments > 0 ? [`${count(attachments, 'attached file')} left out, such as fonts.`] : []),
  ]
}

const count = (number: number, name: string) => (number === 1 ? `1 ${name} was` : `${number} ${name}s were`)
const tracks = (number: number, kind: string) => count(number, `${kind} track`)

/** The job with these warnings, for operations that keep the format. */
export function warnOfLostTracks(job: MediaJob): MediaJob {
  const { media, source, to } = job
  const container = findContainer(to)
  if (container === undefined) return job
  const settings = toMediaSettings(job.options)
  const streams = planStreams({ media, from: source.format, to, container, settings, keepsCodec: true })
  return { ...job, warnings: [...job.warnings, ...lostTracks(media, { container, streams, settings })] }
}

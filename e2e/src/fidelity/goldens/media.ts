import { change, convert, type Golden } from '../golden.ts'

const clip = { width: 160, height: 120, durationMs: 2000, frameRate: 25 }
const tone = { durationMs: 2000, pitchHz: 440, sampleRate: 44_100, channels: 2 }

// One video to every video container: duration, size and frame rate stay the same.
const videos = ['mov', 'mkv', 'm4v', 'avi', 'wmv', 'flv', 'mpg', 'ts', 'ogv'].map((to) =>
  convert('clip.mp4', to, { ...clip, pitchHz: 440, channels: 2 }),
)

const codecs: readonly Golden[] = [
  // Streams that fit are copied.
  convert('clip.mp4', 'mkv', { ...clip, videoCodec: 'h264', audioCodec: 'aac' }, { strip: true }),
  convert('clip.mp4', 'webm', { ...clip, videoCodec: 'vp9', audioCodec: 'opus', sampleRate: 48_000 }),
  convert('clip.mp4', 'mp4', { ...clip, videoCodec: 'hevc' }, { video_codec: 'h265', preset: 'ultrafast' }),
  convert('clip.mp4', 'mkv', { ...clip, videoCodec: 'vp8' }, { video_codec: 'vp8' }),
  convert('clip.mp4', 'mkv', { ...clip, videoCodec: 'mpeg2video' }, { video_codec: 'mpeg2' }),
  convert('wide-30fps.mkv', 'mp4', { width: 320, height: 180, frameRate: 30, videoCodec: 'h264', audioCodec: 'aac' }),
  convert('silent.webm', 'mp4', { width: 128, height: 96, frameRate: 24, durationMs: 1000, videoCodec: 'h264' }),
]

const shaped: readonly Golden[] = [
  convert('clip.mp4', 'mp4', { ...clip, width: 80, height: 60 }, { width: 80 }),
  convert('clip.mp4', 'mp4', { ...clip, width: 80, height: 60 }, { height: 60 }),
  convert('clip.mp4', 'mp4', { ...clip, width: 100, height: 100 }, { width: 100, height: 100, fit: 'pad' }),
  convert('clip.mp4', 'mp4', { ...clip, width: 100, height: 100 }, { width: 100, height: 100, fit: 'cover' }),
  convert('clip.mp4', 'mp4', { ...clip, width: 100, height: 60 }, { width: 100, height: 60, fit: 'fill' }),
  convert('clip.mp4', 'mp4', { ...clip, width: 120, height: 160 }, { rotate: 90 }),
  convert('clip.mp4', 'mp4', clip, { rotate: 180 }),
  convert('clip.mp4', 'mp4', { ...clip, frameRate: 10 }, { fps: 10 }),
  convert(
    'wide-30fps.mkv',
    'mkv',
    { width: 160, height: 90, frameRate: 15, durationMs: 2000 },
    { width: 160, fps: 15 },
  ),
]

const cut: readonly Golden[] = [
  convert('clip.mp4', 'mp4', { ...clip, durationMs: 1000 }, { start: '0.5', end: '1.5' }),
  convert('clip.mp4', 'webm', { ...clip, durationMs: 400 }, { start: '0:00:01.600' }),
  convert('long-tone.wav', 'mp3', { durationMs: 3000, pitchHz: 1000, channels: 1 }, { start: '1', end: '4' }),
  convert('long-tone.wav', 'flac', { durationMs: 250, sampleRate: 48_000 }, { end: '0.25' }),
]

const sounds: readonly Golden[] = [
  convert('tone.flac', 'mp3', { ...tone, audioCodec: 'mp3' }),
  convert('tone.flac', 'wav', { ...tone, audioCodec: 'pcm_s16le', gain: 1 }),
  convert('tone.flac', 'aac', { pitchHz: 440, sampleRate: 44_100, channels: 2, audioCodec: 'aac' }),
  convert('tone.flac', 'm4a', { ...tone, audioCodec: 'aac' }),
  // Ogg can contain FLAC, so the stream is copied.
  convert('tone.flac', 'ogg', { ...tone, audioCodec: 'flac', gain: 1 }),
  convert('tone.flac', 'ogg', { ...tone, audioCodec: 'vorbis' }, { audio_codec: 'vorbis' }),
  convert('tone.flac', 'opus', { ...tone, sampleRate: 48_000, audioCodec: 'opus' }),
  convert('tone.flac', 'wma', { ...tone, audioCodec: 'wmav2' }),
  convert('tone.flac', 'aiff', { ...tone, audioCodec: 'pcm_s16be', gain: 1 }),
  convert('tone.flac', 'ac3', { ...tone, audioCodec: 'ac3' }),
  convert('clip.mp4', 'mp3', { ...tone, audioCodec: 'mp3' }),
  convert('clip.mp4', 'wav', { ...tone, audioCodec: 'pcm_s16le' }),
  convert('noise.amr', 'wav', { durationMs: 2000, sampleRate: 8000, channels: 1 }),
  convert('wide-30fps.mkv', 'flac', { durationMs: 2000, pitchHz: 1000, sampleRate: 48_000, channels: 1 }),
]

const changedSounds: readonly Golden[] = [
  convert('tone.flac', 'wav', { ...tone, sampleRate: 22_050 }, { sample_rate: 22050 }),
  convert('tone.flac', 'wav', { ...tone, channels: 1 }, { channels: 1 }),
  convert('tone.flac', 'mp3', { ...tone, sampleRate: 48_000, channels: 1 }, { sample_rate: 48000, channels: 1 }),
  convert('tone.flac', 'wav', { ...tone, gain: 0.5 }, { volume: 0.5 }),
  convert('tone.flac', 'wav', { ...tone, gain: 1.5 }, { volume: 1.5 }),
  convert('tone.flac', 'ogg', { ...tone, audioCodec: 'opus', sampleRate: 48_000 }, { audio_codec: 'opus' }),
]

const changed: readonly Golden[] = [
  change('trim', 'clip.mp4', { ...clip, durationMs: 1000 }, { start: '0.4', end: '1.4' }),
  change('trim', 'tone.flac', { ...tone, durationMs: 1500 }, { start: '0.5' }),
  change('trim', 'long-tone.wav', { durationMs: 1000, pitchHz: 1000, channels: 1 }, { start: '2', end: '3' }),
  change('crop', 'clip.mp4', { ...clip, width: 64, height: 48 }, { x: 16, y: 8, width: 64, height: 48 }),
  change('crop', 'silent.webm', { width: 32, height: 96, frameRate: 24, durationMs: 1000 }, { x: 96 }),
  change('compress', 'clip.mp4', clip, { percent: 60 }),
  change('compress', 'clip.mp4', { ...clip, width: 80, height: 60 }, { width: 80 }),
]

// 2 s at 10 frames per second by default.
const pictures: readonly Golden[] = [
  convert('clip.mp4', 'gif', { width: 160, height: 120, pages: 20 }),
  convert('clip.mp4', 'gif', { width: 80, height: 60, pages: 5 }, { width: 80, fps: 5, end: '1' }),
  convert('clip.mp4', 'webp', { width: 160, height: 120, pages: 20 }),
  convert('clip.mp4', 'png', { width: 160, height: 120 }, { time: '1' }),
  convert('clip.mp4', 'jpg', { files: 4, width: 160, height: 120 }, { every: 0.5 }),
  convert('clip.mp4', 'png', { width: 120, height: 160 }, { rotate: 90 }),
  // 4 frames of 80 ms.
  convert('animated.gif', 'mp4', { width: 120, height: 90, durationMs: 320, videoCodec: 'h264' }),
]

/** Goldens with audio and video as input. */
export const mediaGoldens: readonly Golden[] = [
  ...videos,
  ...codecs,
  ...shaped,
  ...cut,
  ...sounds,
  ...changedSounds,
  ...changed,
  ...pictures,
]

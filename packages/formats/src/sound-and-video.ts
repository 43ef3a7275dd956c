import { toFormats } from './format.ts'

/** Sound alone. */
export const audioFormats = toFormats('audio', [
  ['mp3', 'audio/mpeg', 'MP3 audio'],
  ['wav', 'audio/wav', 'Waveform audio', 'wave'],
  ['ogg', 'audio/ogg', 'Ogg audio', 'oga'],
  ['opus', 'audio/ogg', 'Opus audio'],
  ['flac', 'audio/flac', 'Free Lossless Audio Codec'],
  ['m4a', 'audio/mp4', 'MPEG-4 audio'],
])

/** Moving pictures, with or without sound. */
export const videoFormats = toFormats('video', [
  ['mp4', 'video/mp4', 'MPEG-4 video', 'm4v'],
  ['mov', 'video/quicktime', 'QuickTime video', 'qt'],
  ['webm', 'video/webm', 'WebM video'],
  ['mkv', 'video/matroska', 'Matroska video'],
  ['avi', 'video/vnd.avi', 'Audio Video Interleave'],
  ['ogv', 'video/ogg', 'Ogg video'],
  ['3gp', 'video/3gpp', '3GPP video', '3gpp'],
])

import { toFormats } from './format.ts'

/** Sound alone. */
export const audioFormats = toFormats('audio', [
  ['mp3', 'audio/mpeg', 'MP3 audio', 'mp2', 'mp1', 'mpga'],
  ['wav', 'audio/wav', 'Waveform audio', 'wave'],
  ['ogg', 'audio/ogg', 'Ogg audio', 'oga'],
  ['opus', 'audio/ogg', 'Opus audio'],
  ['flac', 'audio/flac', 'Free Lossless Audio Codec'],
  ['m4a', 'audio/mp4', 'MPEG-4 audio', 'm4b'],
  ['aac', 'audio/aac', 'Advanced Audio Coding', 'adts'],
  ['wma', 'audio/x-ms-wma', 'Windows Media audio'],
  ['aiff', 'audio/aiff', 'Audio Interchange File Format', 'aif', 'aifc'],
  ['ac3', 'audio/ac3', 'Dolby Digital audio', 'eac3', 'ec3'],
  ['amr', 'audio/amr', 'Adaptive Multi-Rate audio', 'awb'],
  ['au', 'audio/basic', 'Sun audio', 'snd'],
  ['mid', 'audio/midi', 'MIDI music', 'midi'],
  ['spx', 'audio/x-speex', 'Speex audio'],
  ['ape', 'audio/x-ape', "Monkey's Audio"],
  ['wv', 'audio/x-wavpack', 'WavPack audio'],
  ['tta', 'audio/x-tta', 'True Audio'],
  ['mpc', 'audio/x-musepack', 'Musepack audio'],
  ['tak', 'audio/x-tak', 'TAK audio'],
  ['dsf', 'audio/x-dsf', 'DSD audio', 'dff'],
  ['ra', 'audio/vnd.rn-realaudio', 'RealAudio'],
  ['mod', 'audio/x-mod', 'Amiga tracker module'],
  ['s3m', 'audio/x-s3m', 'Scream Tracker module'],
  ['xm', 'audio/x-xm', 'FastTracker module'],
  ['it', 'audio/x-it', 'Impulse Tracker module'],
])

/** Moving pictures, with or without sound. */
export const videoFormats = toFormats('video', [
  ['mp4', 'video/mp4', 'MPEG-4 video', 'f4v'],
  ['m4v', 'video/x-m4v', 'iTunes video'],
  ['mov', 'video/quicktime', 'QuickTime video', 'qt'],
  ['webm', 'video/webm', 'WebM video'],
  ['mkv', 'video/matroska', 'Matroska video'],
  ['avi', 'video/vnd.avi', 'Audio Video Interleave'],
  ['ogv', 'video/ogg', 'Ogg video'],
  ['3gp', 'video/3gpp', '3GPP video', '3gpp', '3g2'],
  ['wmv', 'video/x-ms-wmv', 'Windows Media video', 'asf'],
  ['flv', 'video/x-flv', 'Flash video'],
  ['mpg', 'video/mpeg', 'MPEG program stream', 'mpeg', 'vob'],
  ['ts', 'video/mp2t', 'MPEG transport stream', 'mts', 'm2ts'],
  ['swf', 'application/vnd.adobe.flash.movie', 'Flash animation'],
  ['rm', 'application/vnd.rn-realmedia', 'RealMedia video', 'rmvb'],
  ['wtv', 'video/x-ms-wtv', 'Windows TV recording'],
])

import { readable } from '../media/containers.ts'

/** How the metadata of a format is written: which groups of ExifTool it has, or that FFmpeg writes it. */
export type Writer = 'exif' | 'xmp' | 'png' | 'iptc' | 'itemlist' | 'keys' | 'pdf' | 'ffmpeg'

/**
 * Formats whose metadata can be written. `iptc` are those with EXIF, XMP and IPTC; `exif` those without IPTC. Raw photos are left out:
 * their notes hold what is needed to develop them.
 */
export const writers: Readonly<Record<string, Writer>> = {
  ...{ jpg: 'iptc', tiff: 'iptc', psd: 'iptc' },
  ...{ webp: 'exif', heic: 'exif', avif: 'exif', jp2: 'exif' },
  ...{ png: 'png', gif: 'xmp', pdf: 'pdf' },
  ...{ mp4: 'itemlist', m4v: 'itemlist', m4a: 'itemlist', '3gp': 'itemlist', mov: 'keys' },
  ...{ mp3: 'ffmpeg', flac: 'ffmpeg', mkv: 'ffmpeg', webm: 'ffmpeg' },
}

/** Archives of XML whose parts are read in Python: ExifTool would need a library to open them. */
export const zipDocuments: readonly string[] = [
  ...['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'xltx', 'xlsb', 'pptx', 'pptm', 'ppsx', 'vsdx', 'vsdm'],
  ...['odt', 'ods', 'odp', 'odg', 'ott', 'ots', 'otp', 'otg', 'epub'],
]

const images = [
  ...['jpg', 'png', 'apng', 'gif', 'tiff', 'webp', 'heic', 'avif', 'jxl', 'jp2', 'psd', 'raw', 'svg', 'eps', 'ai'],
  ...['bmp', 'ico', 'cur', 'xcf', 'exr', 'hdr', 'dpx', 'fits', 'ppm', 'pgm', 'pbm', 'pfm', 'pcx', 'dcx', 'mng', 'jng'],
  ...['pict', 'pcd', 'wmf', 'djvu'],
]

const oldDocuments = ['doc', 'dot', 'xls', 'ppt', 'rtf', 'msg', 'ps', 'html', 'ttf', 'otf', 'ttc']

// A score has no streams before it is played.
/** Audio and video: ffprobe tells the streams of all, ExifTool the tags of most. */
export const media: readonly string[] = Object.keys(readable).filter((format) => format !== 'gif' && format !== 'mid')

/** Every format whose metadata can be read. */
export const readableFormats: readonly string[] = [...images, ...oldDocuments, ...zipDocuments, 'pdf', ...media]

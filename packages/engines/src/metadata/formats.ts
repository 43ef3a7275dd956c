import { readable } from '../media/containers.ts'

/** How the metadata of a format is written: with which groups of ExifTool, or with FFmpeg. */
export type Writer = 'exif' | 'xmp' | 'png' | 'iptc' | 'itemlist' | 'keys' | 'pdf' | 'ffmpeg'

/**
 * Formats with writable metadata. `iptc` formats have EXIF, XMP and IPTC; `exif` formats lack IPTC. Raw photos are not
 * included: their maker notes are needed to develop them.
 */
export const writers: Readonly<Record<string, Writer>> = {
  ...{ jpg: 'iptc', tiff: 'iptc', psd: 'iptc' },
  ...{ webp: 'exif', heic: 'exif', avif: 'exif', jp2: 'exif' },
  ...{ png: 'png', gif: 'xmp', pdf: 'pdf' },
  ...{ mp4: 'itemlist', m4v: 'itemlist', m4a: 'itemlist', '3gp': 'itemlist', mov: 'keys' },
  ...{ mp3: 'ffmpeg', flac: 'ffmpeg', mkv: 'ffmpeg', webm: 'ffmpeg' },
}

/** ZIP archives of XML that Python reads, because ExifTool would need another library to open them. */
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

// A score has no streams before it is rendered.
/** Audio and video. ffprobe reads the streams of all, ExifTool the tags of most. */
export const media: readonly string[] = Object.keys(readable).filter((format) => format !== 'gif' && format !== 'mid')

/** Every format with readable metadata. */
export const readableFormats: readonly string[] = [...images, ...oldDocuments, ...zipDocuments, 'pdf', ...media]

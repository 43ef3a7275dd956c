import type { Changes } from './changes.ts'
import type { Writer } from './formats.ts'

type Tags = Readonly<Record<'title' | 'author' | 'description' | 'copyright' | 'keywords', readonly string[]>>

const xmp: Tags = {
  title: ['XMP-dc:Title'],
  author: ['XMP-dc:Creator'],
  description: ['XMP-dc:Description'],
  copyright: ['XMP-dc:Rights'],
  keywords: ['XMP-dc:Subject'],
}

const exif: Tags = {
  ...xmp,
  author: [...xmp.author, 'EXIF:Artist'],
  description: [...xmp.description, 'EXIF:ImageDescription'],
  copyright: [...xmp.copyright, 'EXIF:Copyright'],
}

const quickTime = (group: string, description: string, keywords: string): Tags => ({
  title: [`${group}:Title`],
  author: [group === 'Keys' ? 'Keys:Author' : `${group}:Artist`],
  description: [`${group}:${description}`],
  copyright: [`${group}:Copyright`],
  keywords: [`${group}:${keywords}`],
})

/** The tags for each value, by kind of file. */
const tagsOf: Readonly<Record<Exclude<Writer, 'ffmpeg'>, Tags>> = {
  xmp,
  exif,
  iptc: {
    title: [...exif.title, 'IPTC:ObjectName'],
    author: [...exif.author, 'IPTC:By-line'],
    description: [...exif.description, 'IPTC:Caption-Abstract'],
    copyright: [...exif.copyright, 'IPTC:CopyrightNotice'],
    keywords: [...exif.keywords, 'IPTC:Keywords'],
  },
  png: {
    title: [...exif.title, 'PNG:Title'],
    author: [...exif.author, 'PNG:Author'],
    description: [...exif.description, 'PNG:Description'],
    copyright: [...exif.copyright, 'PNG:Copyright'],
    keywords: exif.keywords,
  },
  pdf: {
    title: [...xmp.title, 'PDF:Title'],
    author: [...xmp.author, 'PDF:Author'],
    description: [...xmp.description, 'PDF:Subject'],
    copyright: xmp.copyright,
    keywords: [...xmp.keywords, 'PDF:Keywords'],
  },
  itemlist: quickTime('ItemList', 'Description', 'Keyword'),
  keys: quickTime('Keys', 'Description', 'Keywords'),
}

/** The private tags of all kinds of images. The wildcards are ExifTool's. A name matches in every group that has it. */
const privateOfImages = [
  ...['GPS*', 'XMP:Location*', 'XMP:City', 'XMP:State', 'XMP:Country*', 'IPTC:City', 'IPTC:Sub-location'],
  ...['IPTC:Province-State', 'IPTC:Country-PrimaryLocation*', 'IPTC:ContentLocation*', 'XMP:GeoTag*'],
  ...['*SerialNumber*', 'ImageUniqueID', 'CameraID', 'XMP-aux:all', 'XMP-exifEX:all', 'OwnerName'],
  ...['Artist', 'Author', 'XPAuthor', 'XMP:Creator*', 'XMP:Author*', 'XMP:CaptionWriter', 'XMP:Credit', 'XMP:Owner'],
  ...['IPTC:By-line*', 'IPTC:Writer-Editor', 'IPTC:Credit', 'IPTC:Contact', 'IPTC:EditStatus', 'XMP:PersonInImage*'],
  ...['XMP-mwg-rs:all', 'XMP-MP:all', 'XMP-MP1:all', 'XMP-digiKam:all', 'XMP-acdsee:all', 'XMP-lr:all'],
  ...[
    'MakerNotes:all',
    'XMP:MakerNote*',
    'ThumbnailImage',
    'PreviewImage',
    'Photoshop:PhotoshopThumbnail',
    'XMP:Thumbnails*',
  ],
  ...['MPF:all', 'Trailer:all', 'JUMBF:all', 'CanonVRD:all', 'FlashPix:all', 'Meta:all'],
  ...['XMP-xmpMM:all', 'XMP-photoshop:History', 'XMP-photoshop:DocumentAncestors', 'XMP-crs:all', 'XMP-GCamera:all'],
  ...['Software', 'ProcessingSoftware', 'HostComputer', 'XMP:CreatorTool', 'XMP:Software', 'XMP:Producer'],
  ...[
    'IPTC:ObjectPreview*',
    'IPTC:OriginatingProgram',
    'IPTC:ProgramVersion',
    'PNG:Software',
    'PNG:Source',
    'PNG:Author',
    'UserComment',
  ],
]

/** What a video or a PDF keeps when private metadata is removed. Everything else is removed. */
const keptOfMedia = [
  ...['Title', 'Description', 'Copyright', 'Comment', 'Keyword', 'Genre', 'Album', 'Artist', 'AlbumArtist', 'Composer'],
  ...['TrackNumber', 'DiskNumber', 'ContentCreateDate', 'Grouping', 'Lyrics', 'CoverArt', 'Compilation'],
].map((name) => `ItemList:${name}`)
const keptOfMovies = ['Title', 'Description', 'Copyright', 'Keywords', 'DisplayName', 'Information', 'Comment', 'Genre']
const keptOfPdf = [
  ...['PDF:Title', 'PDF:Subject', 'PDF:Keywords', 'PDF:CreateDate', 'PDF:ModifyDate'],
  ...['XMP-dc:Title', 'XMP-dc:Description', 'XMP-dc:Subject', 'XMP-dc:Rights', 'XMP-dc:Language', 'XMP-xmp:CreateDate'],
  ...['XMP-xmp:ModifyDate', 'XMP-pdf:Keywords'],
]

/** Tags that readers need to show the file correctly, or to know which standards it meets. */
const neededOf: Readonly<Record<Exclude<Writer, 'ffmpeg'>, readonly string[]>> = {
  xmp: [],
  exif: ['EXIF:Orientation'],
  iptc: ['EXIF:Orientation'],
  png: ['EXIF:Orientation'],
  pdf: ['XMP-pdfaid:all', 'XMP-pdfuaid:all'],
  itemlist: [],
  keys: [],
}

/**
 * The argument file for one run of ExifTool, with one argument per line. Values from users follow a fixed tag and `=`,
 * so that ExifTool reads the rest of the line as the value.
 */
export function exiftoolArgs(
  { file, out, writer, format }: { file: string; out: string; writer: Exclude<Writer, 'ffmpeg'>; format: string },
  changes: Changes,
): string {
  const lines = ['-m', '-api', 'LargeFileSupport=1', ...stripLines(writer, format, changes.remove)]
  const tags = tagsOf[writer]
  for (const name of ['title', 'author', 'description', 'copyright'] as const) {
    const value = changes[name]
    if (value !== undefined) lines.push(...tags[name].map((tag) => `-${tag}=${value}`))
  }
  lines.push(...keywordLines(tags.keywords, changes.keywords, writer), ...dateLines(writer, changes))
  if (lines.some((line) => line.startsWith('-IPTC:') && /=./.test(line))) lines.push('-IPTC:CodedCharacterSet=UTF8')
  lines.push('-o', out, file)
  const odd = lines.find((line) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line))
  if (odd !== undefined) throw new Error('an argument of ExifTool holds a control character')
  return `${lines.join('\n')}\n`
}

function stripLines(writer: Exclude<Writer, 'ffmpeg'>, format: string, remove: Changes['remove']): readonly string[] {
  if (remove === 'none') return []
  const isImage = ['xmp', 'exif', 'iptc', 'png'].includes(writer)
  // Cameras hide notes in unnamed segments of a JPEG, so only known groups are restored there.
  if (remove === 'private' && format === 'jpg') {
    const known = ['-EXIF:all', '-XMP:all', '-IPTC:all', '-File:Comment']
    return [...everything, '-tagsFromFile', '@', ...known, '--MakerNote*', ...privateOfImages.map((tag) => `--${tag}`)]
  }
  const pages = format === 'tiff' ? pageLines(remove) : []
  if (remove === 'private' && isImage) return [...privateOfImages.map((tag) => `-${tag}=`), ...pages]
  const kept = [...neededOf[writer], ...(remove === 'private' ? keptOf(writer) : [])]
  return [
    ...(isImage ? everything : ['-all=']),
    // The main directory of a TIFF also contains the image, so ExifTool never removes it as a whole.
    ...(format === 'tiff' ? ['-CommonIFD0=', '-IFD0:XP*=', '-IFD0:Rating*=', '-IFD0:HostComputer=', ...pages] : []),
    ...(writer === 'itemlist' || writer === 'keys' ? mediaDates('0000:00:00 00:00:00') : []),
    ...(kept.length > 0 ? ['-tagsFromFile', '@', ...kept.map((tag) => `-${tag}`)] : []),
  ]
}

// ExifTool has names for eleven pages. Metadata on further pages is searched afterwards.
const laterPages = Array.from({ length: 10 }, (_, n) => `IFD${n + 1}`)
const privateOfPages = ['Artist', 'Software', 'HostComputer', 'OwnerName', 'CameraSerialNumber']
const allOfPages = ['ImageDescription', 'Copyright', 'Make', 'Model', 'ModifyDate', 'DocumentName', 'PageName']

function pageLines(remove: Changes['remove']): readonly string[] {
  const names = remove === 'all' ? [...privateOfPages, ...allOfPages] : privateOfPages
  return laterPages.flatMap((page) => names.map((name) => `-${page}:${name}=`))
}

const everything = ['-all=', '--ICC_Profile:all']

function keptOf(writer: Writer): readonly string[] {
  if (writer === 'pdf') return keptOfPdf
  if (writer === 'keys') return [...keptOfMovies.map((name) => `Keys:${name}`), ...movieDates, ...keptOfMedia]
  return [...keptOfMedia, ...movieDates]
}

const movieDates = ['QuickTime:CreateDate', 'QuickTime:TrackCreateDate', 'QuickTime:MediaCreateDate']

function mediaDates(value: string): readonly string[] {
  const names = ['CreateDate', 'ModifyDate', 'TrackCreateDate', 'TrackModifyDate', 'MediaCreateDate', 'MediaModifyDate']
  return names.map((name) => `-QuickTime:${name}=${value}`)
}

// Lists take one line per entry; QuickTime has one text for all.
function keywordLines(tags: readonly string[], words: readonly string[], writer: Writer): readonly string[] {
  if (words.length === 0) return []
  if (writer === 'itemlist' || writer === 'keys') return tags.map((tag) => `-${tag}=${words.join(', ')}`)
  return tags.flatMap((tag) => words.map((word) => `-${tag}=${word}`))
}

function dateLines(writer: Exclude<Writer, 'ffmpeg'>, { date }: Changes): readonly string[] {
  if (date === undefined) return []
  const { local, utc, zone = '' } = date
  const whole = `${local}${zone}`
  if (writer === 'pdf') return [`-PDF:CreateDate=${whole}`, `-XMP-xmp:CreateDate=${whole}`]
  if (writer === 'itemlist') return [...mediaDates(utc), `-ItemList:ContentCreateDate=${whole}`]
  if (writer === 'keys') return [...mediaDates(utc), `-Keys:CreationDate=${whole}`]
  const ofXmp = [`-XMP-xmp:CreateDate=${whole}`, `-XMP-photoshop:DateCreated=${whole}`]
  if (writer === 'xmp') return ofXmp
  const zones = ['OffsetTimeOriginal', 'OffsetTimeDigitized'].map((name) => `-EXIF:${name}=${zone}`)
  const ofExif = [`-EXIF:DateTimeOriginal=${local}`, `-EXIF:CreateDate=${local}`, ...zones]
  if (writer === 'png') return [...ofXmp, ...ofExif, `-PNG:CreationTime=${whole}`]
  if (writer === 'exif') return [...ofXmp, ...ofExif]
  return [...ofXmp, ...ofExif, `-IPTC:DateCreated=${local}`, `-IPTC:TimeCreated=${whole}`]
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../fixtures/cpu-ms.ts'
import { detectFormat, detectionBytes } from './detect.ts'
import { formats } from './formats.ts'
import { recognised } from './recognised.ts'
import { bytesOf as bytes } from './testing/bytes-of.ts'
import { oleFile } from './testing/ole-file.ts'
import { zipEntry } from './testing/zip-file.ts'

function flatDocument(kind: string): string {
  const mimetype = `office:mimetype="application/vnd.oasis.opendocument.${kind}"`
  return `<?xml version="1.0"?>\n<office:document xmlns:office="urn:x" office:version="1.3" ${mimetype}><office:body/>`
}

const pad = '\0'.repeat(64)

describe('detectFormat on conclusive bytes', () => {
  it.each([
    ['jpg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['png', '\x89PNG\r\n\x1a\n'],
    ['gif', 'GIF89a'],
    ['gif', 'GIF87a'],
    ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['wav', 'RIFF\x10\0\0\0WAVEfmt '],
    ['avi', 'RIFF\x10\0\0\0AVI LIST'],
    ['tiff', 'II*\0\x08\0\0\0'],
    ['tiff', 'MM\0*\0\0\0\x08'],
    ['tiff', 'II+\0\x08\0\0\0'],
    ['raw', 'II*\0\x10\0\0\0CR\x02\0'],
    ['raw', `II*\0\x08\0\0\0\x01\0${'\x12\xc6'}\x01\0\x04\0\0\0\x01\x04\0\0`],
    ['raw', 'FUJIFILMCCD-RAW 0201'],
    ['raw', 'IIU\0\x18\0\0\0'],
    ['raw', '\0\0\0\x18ftypcrx \0\0\0\x01crx isom'],
    ['xcf', 'gimp xcf v011\0'],
    ['exr', '\x76\x2f\x31\x01\x02\0\0\0'],
    ['hdr', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n'],
    ['dds', 'DDS \x7c\0\0\0'],
    ['ppm', 'P6\n# made by hand\n640 480\n255\n'],
    ['pgm', 'P5 640 480 255\n'],
    ['pbm', 'P4\n8 8\n'],
    ['pam', 'P7\nWIDTH 4\nHEIGHT 4\n'],
    ['pcx', `\x0a\x05\x01\x08${pad}`],
    ['avif', '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'],
    ['avif', '\0\0\0\x1cftypmif1\0\0\0\0miafavifmif1'],
    ['heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
    ['m4a', '\0\0\0\x18ftypM4A \0\0\x02\0isomiso2'],
    ['mov', '\0\0\0\x14ftypqt  \0\0\0\0qt  '],
    ['jxl', '\xff\x0a\xfa\x7f'],
    ['jxl', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['jp2', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['psd', '8BPS\0\x01'],
    ['rtf', '{\\rtf1\\ansi'],
    ['flac', 'fLaC\0'],
    ['ogg', 'OggS\0\x02\x01vorbis'],
    ['opus', 'OggS\0\x02OpusHead'],
    ['ogv', 'OggS\0\x02\x80theora'],
    ['ogv', 'OggS\0\x02OpusHeadOggS\0\x02\x80theora'],
    ['webm', '\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'],
    ['mkv', '\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska'],
    ['7z', '7z\xbc\xaf\x27\x1c\0\x04'],
    ['rar', 'Rar!\x1a\x07\x01\0'],
    ['tar', `a.txt${'\0'.repeat(252)}ustar\x0000`],
    ['bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'],
    ['ico', '\0\0\x01\0\x01\0\x10\x10\0\0\x01\0'],
    ['docm', zipEntry('_rels/.rels') + zipEntry('word/document.xml') + zipEntry('word/vbaProject.bin')],
    ['xlsm', zipEntry('_rels/.rels') + zipEntry('xl/vbaProject.bin') + zipEntry('xl/workbook.xml')],
    ['pptm', zipEntry('_rels/.rels') + zipEntry('ppt/presentation.xml') + zipEntry('ppt/vbaProject.bin')],
    ['odg', zipEntry('mimetype', 'application/vnd.oasis.opendocument.graphics')],
    ['ott', zipEntry('mimetype', 'application/vnd.oasis.opendocument.text-template')],
    ['ras', '\x59\xa6\x6a\x95\0\0\0\x80'],
    ['dcx', '\xb1\x68\xde\x3a\x04\x10\0\0'],
    ['fits', 'SIMPLE  =                    T'],
    ['pcd', `${'\xff'.repeat(2048)}PCD_IPI`],
    ['sgi', '\x01\xda\x01\x01\0\x03\0\x80\0\x80\0\x03'],
    ['qoi', 'qoif\0\0\0\x80\0\0\0\x80\x03\0'],
    ['icns', 'icns\0\x01\xb1\x0bic08'],
    ['cur', '\0\0\x02\0\x01\0\x20\x20\0\0\0\0\0\0\xa8\x10\0\0\x16\0\0\0'],
    ['pfm', 'Pf\n128 128\n-1.0\n'],
    ['pfm', 'PF 4 4 1.0 '],
    ['fli', '\xec\x38\0\0\x12\xaf\x1b\0\x40\x01\xc8\0\x08\0\x03\0'],
    ['fli', '\xff\xfe\0\0\x11\xaf\x0a\0\0\x10\0\x02\x08\0\0\0'],
    ['bmp', 'BM\x1e\x24\0\0\0\0\0\0\x1e\x04\0\0\x10\0\0\0\x7f\0\0\0\x40\0\0\0\x01\0'],
    ['djvu', 'AT&TFORM\0\0\x03\x96DJVM'],
    ['wri', '1\xbe\0\0\0\xab\0\0'],
    ['hwp', 'HWP Document File V3.00 \x1a\x01'],
    ['doc', '\xdb\xa5\x2d\0\x31\x40\x09\x04'],
    ['doc', '\xdc\xa5\x65\0\x31\x40\x09\x04'],
    ['xls', '\x09\x04\x06\0\0\0\x10\0'],
    ['xls', '\x09\x08\x08\0\0\x05\x05\0'],
    ['wpd', '\xffWPC\x95\x06\0\0\x01\x0a\x02\x01'],
    [
      'wpd',
      `\xcb\x0a\x01\xf6\x01\xcb\xc0\x0a\x4a\x09\x4a\xc0\xce\x0c\x0a\xce${'Words and words.\r\n\xc3\x01\xc3'.repeat(9)}`,
    ],
    ['dif', 'TABLE\r\n0,1\r\n"EXCEL"\r\n'],
    ['dbf', `\x03\x10\x05\x18\x14\0\0\0\x41\0\x26\0${'\0'.repeat(20)}NAME\0\0\0\0\0\0\0C${'\0'.repeat(20)}\x0d`],
    ['fb2', '<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">'],
    [
      'wordxml',
      '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml">',
    ],
    ['excelxml', '<?xml version="1.0"?><ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">'],
    ['flatopc', '<?xml version="1.0"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'],
    ['tar', `a.txt${'\0'.repeat(143)}001357 \x00${'\0'.repeat(356)}`],
    ['gpkg', `SQLite format 3\0${'\0'.repeat(52)}GPKG`],
    ['sqlite', `SQLite format 3\0${'\0'.repeat(52)}\0\0\0\0`],
    ['fgb', 'fgb\x03fgb\x01'],
    ['parquet', 'PAR1\x15\x04\x15'],
    ['parquet', 'PARE\0\0'],
    ['mobi', `${'A_Book'.padEnd(60, '\0')}BOOKMOBI`],
    ['mobi', `${'A_Text'.padEnd(60, '\0')}TEXtREAd`],
    ['emf', `\x01\0\0\0\x6c\0\0\0${'\0'.repeat(32)} EMF`],
    ['wmf', '\xd7\xcd\xc6\x9a\0\0'],
    ['wmf', '\x01\0\x09\0\0\x03\x20\0\0\0\x01\0\x10\0\0\0\0\0'],
    ['odt', zipEntry('mimetype', 'application/vnd.oasis.opendocument.text')],
    ['epub', zipEntry('mimetype', 'application/epub+zip')],
    ['zip', 'PK\x05\x06'],
  ])('names %s', (ext, head) => {
    // Zeros after a text would make it binary.
    const isText = head.startsWith('<?xml') || head.includes('Words')
    expect(detectFormat(bytes(isText ? head : head + pad))).toEqual({ ext, conclusive: true })
  })
})

const xmlVariants = [
  'html',
  'svg',
  'txt',
  'md',
  'docbook',
  'jats',
  'opml',
  'tei',
  'icml',
  'endnote',
  'ttml',
  'dae',
  'x3d',
  'kml',
  'gpx',
  'gml',
]

describe('detectFormat on packages whose exact format is not visible', () => {
  it.each([
    ['docx', ['docm', 'dotx'], zipEntry('[Content_Types].xml', '<Types/>') + zipEntry('word/document.xml')],
    ['vsdx', ['vsdm'], zipEntry('_rels/.rels') + zipEntry('visio/document.xml')],
    ['mp4', ['m4a', 'm4v', '3gp', 'mov'], '\0\0\0\x18ftypisom\0\0\x02\0isomiso2'],
    ['apng', ['png'], `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(17)}\0\0\0\x08acTL`],
    ['html', ['xml', 'txt', 'md'], '<!DOCTYPE html><title>x</title>'],
    ['xml', xmlVariants, '<?xml version="1.0"?><note/>'],
    ['opml', ['xml', ...xmlVariants], '<?xml version="1.0"?><opml version="2.0"/>'],
    ['tei', ['xml', ...xmlVariants], '<TEI xmlns="http://www.tei-c.org/ns/1.0"/>'],
    ['docbook', ['xml', ...xmlVariants], '<article xmlns="http://docbook.org/ns/docbook"/>'],
    [
      'jats',
      ['xml', ...xmlVariants],
      '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.2//EN" "x.dtd"><article/>',
    ],
    ['kml', ['xml', ...xmlVariants], '<kml xmlns="http://www.opengis.net/kml/2.2"/>'],
    ['gpx', ['xml', ...xmlVariants], '<?xml version="1.0"?><gpx version="1.1"/>'],
    [
      'gml',
      ['xml', ...xmlVariants],
      '<ogr:FeatureCollection xmlns:ogr="urn:x" xmlns:gml="http://www.opengis.net/gml/3.2"/>',
    ],
    ['icml', ['xml', ...xmlVariants], '<?xml version="1.0"?><?aid style="50" type="snippet"?><Document/>'],
    ['ass', ['ssa', 'txt'], '[Script Info]\n'],
    ['ics', ['txt'], '\xef\xbb\xbfBEGIN:VCALENDAR\r\n'],
    ['vcf', ['txt'], 'BEGIN:VCARD\nVERSION:3.0\n'],
    ['shz', ['zip'], ['a/roads.shp', 'a/roads.shx', 'a/roads.DBF'].map((name) => zipEntry(name)).join('')],
    ['gz', ['svg', 'emf', 'wmf', 'tar.gz'], '\x1f\x8b\x08\0'],
    ['xlsx', ['xlsm', 'xltx'], zipEntry('xl/workbook.xml') + zipEntry('[Content_Types].xml')],
    ['pptx', ['pptm', 'ppsx'], zipEntry('_rels/.rels') + zipEntry('ppt/presentation.xml')],
  ])('names %s and what else it may be', (ext, variants, head) => {
    expect(detectFormat(bytes(head + (head.startsWith('<') ? '' : pad)))).toEqual({ ext, conclusive: true, variants })
  })

  it('distinguishes a binary workbook from one of XML', () => {
    const head = zipEntry('[Content_Types].xml') + zipEntry('xl/workbook.bin')
    expect(detectFormat(bytes(head))).toEqual({ ext: 'xlsb', conclusive: true })
  })

  it('is not misled by a package within a package', () => {
    const workbook = zipEntry('[Content_Types].xml') + zipEntry('xl/workbook.xml')
    const head = zipEntry('_rels/.rels') + zipEntry('customer/data.bin', workbook) + zipEntry('ppt/presentation.xml')
    expect(detectFormat(bytes(head))?.ext).toBe('pptx')
  })
})

describe('detectFormat on flat OpenDocument', () => {
  it.each([
    ['fodt', 'text'],
    ['fods', 'spreadsheet'],
    ['fodp', 'presentation'],
    ['fodg', 'graphics'],
  ])('names %s', (ext, kind) => {
    expect(detectFormat(bytes(flatDocument(kind)))).toEqual({ ext, conclusive: true })
  })
})

describe('detectFormat on SVG', () => {
  it.each([
    ['bare', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a byte order mark', '\xef\xbb\xbf<svg/>'],
    ['a declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<svg>'],
    ['a comment that speaks of html', '<!-- <html> --><svg >'],
    ['white space', ' \r\n\t <svg\n width="1">'],
    ['a namespace prefix', '<?xml version="1.0"?><s:svg xmlns:s="http://www.w3.org/2000/svg">'],
    ['a document type', '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>'],
    ['a document type with entities', '<!DOCTYPE svg [ <!ENTITY a "b"> ]><svg>'],
    ['UTF-16', '\xff\xfe<\0s\0v\0g\0>\0'],
  ])('recognizes %s', (_, head) => {
    expect(detectFormat(bytes(head))).toEqual({ ext: 'svg', conclusive: true })
  })

  it('is not fooled by an svg element inside a page', () => {
    expect(detectFormat(bytes('<!doctype html><body><svg></svg>'))?.ext).toBe('html')
  })
})

describe('detectFormat on inconclusive bytes', () => {
  it.each([
    ['zip', zipEntry('a.txt')],
    ['ole', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['docx', oleFile({ names: ['EncryptionInfo', 'EncryptedPackage'] })],
    ['pdf', '%\xe2\xe3\xcf\xd3\n1 0 obj \n<<\n/Pages 2 0 R'],
    ['bmp', '\x28\0\0\0\x28\x01\0\0\xb0\0\0\0\x01\0\x20\0'],
    ['html', '<table><tr><td>1</td></tr></table>'],
    ['html', '<HTML><meta charset="x">\x01\x02\x03'],
    ['txt', 'H\0e\0l\0l\0o\0 \0t\0h\0e\0r\0e\0'],
    ['txt', '\0H\0e\0l\0l\0o\0 \0t\0h\0e\0r\0e'],
    ['txt', 'Gr\xfc\xdfe aus K\xf6ln\n'],
    ['txt', '\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\n'],
    ['txt', '[[File:x.png]] is how a wiki page begins'],
    ['txt', '{| class="wikitable"'],
    ['json', '[1, 2.5, "a\\"b", null, {"c": tru'],
    ['xml', '<office:document xmlns:office="urn:x"/>'],
    ['mp3', '\xff\xfb\x90\x64'],
    ['pdf', 'junk\n%PDF-1.4'],
    ['json', ' {"a": 1}'],
    ['txt', 'a,b,c\n1,2,3\n'],
    ['ppm', 'P3\n4 4\n255\n0 0 0\n'],
    ['txt', 'P3 is how this sentence begins'],
    ['tga', `\0\0\x02${'\0'.repeat(9)}\x10\0\x10\0\x18\0${pad}`],
    ['txt', 'BM is how this sentence begins'],
    ['txt', 'push graphic-context\nviewbox 0 0 640 480\n'],
  ])('only guesses %s', (ext, head) => {
    expect(detectFormat(bytes(head))).toEqual({ ext, conclusive: false })
  })

  it('returns nothing for no bytes or unknown bytes', () => {
    expect(detectFormat(new Uint8Array())).toBeUndefined()
    expect(detectFormat(bytes('\0\x01\x02\x03\x04'))).toBeUndefined()
    const noise = Array.from({ length: 600 }, (_, n) => String.fromCharCode((n * 7919 + 200) % 251)).join('')
    expect(detectFormat(bytes(noise))).toBeUndefined()
  })
})

describe('detectFormat on what cameras write', () => {
  const entry = (tag: number, value: number) =>
    `${String.fromCharCode(tag & 255, tag >> 8)}\x04\0\x01\0\0\0${String.fromCharCode(value & 255, value >> 8)}\0\0`
  const tiff = (...entries: string[]) =>
    bytes(`II*\0\x08\0\0\0${String.fromCharCode(entries.length)}\0${entries.join('')}`)
  const [subfileType, photometric, make, subIfds] = [0xfe, 0x106, 0x10f, 0x14a]

  it('takes a preview with directories below for raw, and sensor data too', () => {
    const preview = tiff(entry(subfileType, 1), entry(make, 200), entry(subIfds, 300))
    expect(detectFormat(preview)).toEqual({ ext: 'raw', conclusive: true })
    expect(detectFormat(tiff(entry(photometric, 32_803)))).toEqual({ ext: 'raw', conclusive: true })
  })

  it('lets the name decide on a full image with directories below', () => {
    const either = tiff(entry(subfileType, 0), entry(make, 200), entry(subIfds, 300))
    expect(detectFormat(either)).toEqual({ ext: 'tiff', conclusive: false })
  })

  it('takes a photograph with a maker for TIFF', () => {
    expect(detectFormat(tiff(entry(make, 200)))).toEqual({ ext: 'tiff', conclusive: true })
    expect(detectFormat(bytes('II*\0\xff\xff\xff\xff'))).toEqual({ ext: 'tiff', conclusive: true })
  })
})

describe('detectFormat on polyglots', () => {
  it('takes the signature at the start, whatever follows', () => {
    expect(detectFormat(bytes(`GIF89a${zipEntry('a')}%PDF-1.4<svg>`))?.ext).toBe('gif')
    expect(detectFormat(bytes(`%PDF-1.4\n${zipEntry('a')}<html>`))?.ext).toBe('pdf')
    expect(detectFormat(bytes('\xff\xd8\xff\xe0<?php ?><html>'))?.ext).toBe('jpg')
  })
})

describe('detectFormat on anything', () => {
  const known = new Set([...formats, ...recognised].map(({ ext }) => ext))
  const starts = [
    '',
    '<svg',
    '<!--',
    '<!DOCTYPE [',
    'PK\x03\x04',
    '\0\0\0\x1cftypmif1',
    'RIFF',
    'OggS',
    'II*\0\x08\0\0\0',
    'MM\0*\0\0\0\x08',
    'P6 ',
    '<?',
    '\xff\xfe',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    'ID3\x03\0\0',
    'MZ',
    'From a ',
    'II+\0',
    '\x89PNG\r\n\x1a\n',
  ]

  it('never throws and names only known formats', () => {
    const head = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 512 }))
    fc.assert(
      fc.property(head, ([start, rest]) => {
        const found = detectFormat(Uint8Array.of(...bytes(start), ...rest))
        if (found !== undefined) expect(known).toContain(found.ext)
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['<', '<!--', '<!x ', '<?x?>', ' ', 'PK\x03\x04', '%PDF', '<!DOCTYPE [', '\xff\xfe', 'a'])(
    'needs milliseconds for 64 KiB of %j',
    (unit) => {
      const head = bytes(unit.repeat(detectionBytes)).subarray(0, detectionBytes)
      // 50 ms is what an early refusal may cost; quadratic work on 64 KiB takes seconds. The best of a few runs
      // counts, because the first ones are compiled.
      const took = Array.from({ length: 5 }, () => cpuMs(() => detectFormat(head)))
      expect(Math.min(...took)).toBeLessThan(50)
    },
  )

  it('looks no further than its limit', () => {
    const head = bytes(`<!--${' '.repeat(detectionBytes)}--><svg>`)
    expect(detectFormat(head)?.ext).not.toBe('svg')
  })
})

import { docx, openDocument, openXml, relationsOf } from '../../../../fixtures/attacks/office-packages.ts'
import { type ZipMember, zipOf } from '../../../../fixtures/attacks/zip.ts'

const schemas = 'http://schemas.openxmlformats.org'
const emuPerInch = 914_400

/** An image of a document, and how large it is shown, in inches. */
export interface Shown {
  readonly file: string
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** Share of the image cut off at its left side. */
  readonly cropLeft?: number
}

const emu = (inches: number) => Math.round(inches * emuPerInch)

/** A Word document of a line of text and images. */
export function docxOf(images: readonly Shown[], more: readonly ZipMember[] = []): Buffer {
  const body = images.map((image, n) => wordImage(`rId${n + 1}`, image)).join('')
  const types = Object.fromEntries(images.map(({ file }) => [`word/media/${file}`, typeOf(file)]))
  return docx(`<w:p><w:r><w:t>Words that stay</w:t></w:r></w:p>${body}<w:p/>`, {
    types,
    relations: images.map(({ file }, n) => [`rId${n + 1}`, 'image', `media/${file}`] as const),
    more: [...images.map(({ file, bytes }) => ({ name: `word/media/${file}`, content: bytes, store: true })), ...more],
  })
}

/** A presentation of one slide with images. */
export function pptxOf(images: readonly Shown[]): Buffer {
  const names = `xmlns:p="${schemas}/presentationml/2006/main" xmlns:a="${schemas}/drawingml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"`
  const none = `<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>`
  const pictures = images.map((image, n) => slideImage(`rId${n + 1}`, image)).join('')
  const slide = `<?xml version="1.0"?><p:sld ${names}><p:cSld><p:spTree>${none}${pictures}</p:spTree></p:cSld></p:sld>`
  const show = 'application/vnd.openxmlformats-officedocument.presentationml'
  return openXml({
    part: 'ppt/presentation.xml',
    content: `<?xml version="1.0"?><p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    relations: [['rId1', 'slide', 'slides/slide1.xml']],
    types: {
      'ppt/slides/slide1.xml': `${show}.slide+xml`,
      ...Object.fromEntries(images.map(({ file }) => [`ppt/media/${file}`, typeOf(file)])),
    },
    more: [
      { name: 'ppt/slides/slide1.xml', content: slide },
      {
        name: 'ppt/slides/_rels/slide1.xml.rels',
        content: relationsOf(images.map(({ file }, n) => [`rId${n + 1}`, 'image', `../media/${file}`] as const)),
      },
      ...images.map(({ file, bytes }) => ({ name: `ppt/media/${file}`, content: bytes })),
    ],
  })
}

/** An OpenDocument text of a line and images. */
export function odtOf(images: readonly Shown[]): Buffer {
  const frames = images.map(
    ({ file, width, height }, n) =>
      `<text:p><draw:frame draw:name="i${n}" text:anchor-type="as-char" svg:width="${width}in" svg:height="${height}in"><draw:image xlink:href="Pictures/${file}" xlink:type="simple"/></draw:frame></text:p>`,
  )
  return openDocument({
    body: `<text:p>Words that stay</text:p>${frames.join('')}`,
    more: images.map(({ file, bytes }) => ({ name: `Pictures/${file}`, content: bytes })),
  })
}

/** A book of one chapter with images. */
export function epubOf(images: readonly Pick<Shown, 'file' | 'bytes'>[], more: readonly ZipMember[] = []): Buffer {
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  const items = images.map(({ file }, n) => `<item id="i${n}" href="${file}" media-type="${typeOf(file)}"/>`).join('')
  const shown = images.map(({ file }) => `<p><img src="${file}" alt=""/></p>`).join('')
  return zipOf([
    { name: 'mimetype', content: 'application/epub+zip', store: true },
    {
      name: 'META-INF/container.xml',
      content: `${head}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'book.opf',
      content: `${head}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x</dc:identifier><dc:title>A book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>${items}</manifest><spine><itemref idref="c"/></spine></package>`,
    },
    {
      name: 'c.xhtml',
      content: `${head}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body><p>Words that stay</p>${shown}</body></html>`,
    },
    ...images.map(({ file, bytes }) => ({ name: file, content: bytes })),
    ...more,
  ])
}

function wordImage(id: string, { width, height, cropLeft = 0 }: Shown): string {
  const size = `cx="${emu(width)}" cy="${emu(height)}"`
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${schemas}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:srcRect l="${cropLeft * 100_000}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
}

function slideImage(id: string, { width, height }: Shown): string {
  const number = id.slice(3)
  return `<p:pic><p:nvPicPr><p:cNvPr id="${10 + Number(number)}" name="p${number}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
}

function typeOf(file: string): string {
  return file.endsWith('.png') ? 'image/png' : 'image/jpeg'
}

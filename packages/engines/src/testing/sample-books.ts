import { type ZipPart, zip } from '../../../../fixtures/zip.ts'

/** A red image of one pixel. */
export const redPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

const container = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

/** A chapter as XHTML. */
export function chapter(body: string, head = ''): string {
  return `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>${head}</head>
<body>${body}</body></html>`
}

export interface SampleEpub {
  readonly chapters?: readonly string[]
  readonly more?: readonly ZipPart[]
  /** False for a book without its package document. */
  readonly hasPackage?: boolean
  /** A PNG as the cover. */
  readonly cover?: Buffer
}

const first = chapter(
  '<h1 id="top">Chapter One</h1><p>Grüße &nbsp; 你好 <a href="two.xhtml#end">onwards</a></p><p><img src="../img/red.png" alt="red"/></p>',
  '<link rel="stylesheet" href="book.css"/>',
)
const second = chapter('<h1>Chapter Two</h1><table><tr><td>cell</td></tr></table><p id="end">The end.</p>')

/** A book of two chapters, an image and a style sheet, without the entry that contains its type. */
export function makeEpub({ chapters = [first, second], more = [], hasPackage = true, cover }: SampleEpub = {}): Buffer {
  const names = ['one', 'two', 'three']
  const items = chapters.map(
    (_, n) => `<item id="c${n}" href="text/${names[n]}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  if (cover) items.push('<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>')
  const opf = `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Sample Book</dc:title><dc:creator>A. Writer</dc:creator><dc:date>2019-06-22</dc:date><dc:language>de</dc:language></metadata>
<manifest>${items.join('')}<item id="css" href="text/book.css" media-type="text/css"/></manifest>
<spine>${chapters.map((_, n) => `<itemref idref="c${n}"/>`).join('')}</spine></package>`
  const packageParts = [
    { name: 'META-INF/container.xml', content: container },
    { name: 'OPS/book.opf', content: opf },
  ]
  return zip([
    ...(hasPackage ? packageParts : []),
    ...chapters.map((content, n) => ({ name: `OPS/text/${names[n]}.xhtml`, content })),
    { name: 'OPS/text/book.css', content: 'h1 { color: #336699 } @import url("http://127.0.0.1:9/x.css");' },
    { name: 'OPS/img/red.png', content: redPixel },
    ...(cover ? [{ name: 'OPS/cover.png', content: cover }] : []),
    ...more,
  ])
}

/** A FictionBook with an image, a poem, a table and a note. */
export function makeFb2(body = '', doctype = ''): string {
  return `<?xml version="1.0" encoding="utf-8"?>${doctype}
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info>
<author><first-name>Лев</first-name><last-name>Толстой</last-name></author><book-title>Война и мир</book-title><date>1869</date><lang>ru</lang>
</title-info></description><body><section><title><p>Глава первая</p></title><p>Первый <emphasis>абзац</emphasis>
<a l:href="#n1" type="note">[1]</a></p><poem><stanza><v>Строка стиха</v></stanza></poem><image l:href="#red"/>
<table><tr><td>ячейка</td></tr></table>${body}</section></body>
<body name="notes"><section id="n1"><p>Примечание</p></section></body>
<binary id="red" content-type="image/png">${redPixel.toString('base64')}</binary></FictionBook>`
}

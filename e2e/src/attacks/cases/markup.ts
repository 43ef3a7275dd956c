import { expect } from 'vitest'
import { climbingImages, includingTexts, namingTexts } from '../../../../fixtures/attacks/markup.ts'
import { chapter, makeEpub } from '../../../../packages/engines/src/testing/sample-books.ts'
import { openZip } from '../../outputs.ts'
import type { Attack, Bait, Output, Variant } from '../support/attack.ts'

// LibreOffice makes documents and books from HTML pages; Pandoc makes the rest.
const documents = (format: string) => (format === 'html' ? ['pptx', 'tex'] : ['docx', 'html'])
const books = (format: string) => (format === 'html' ? ['pptx'] : ['epub', 'pptx'])

const texts: Attack = {
  id: 'A09',
  title: 'texts get none of the files that they include or that their properties name',
  variants: (bait) => [
    ...Object.values(includingTexts(bait)).flatMap(({ format, content }) =>
      documents(format).map((to): Variant => variantOf(`${format} that includes files`, format, content, to)),
    ),
    ...Object.entries(namingTexts(bait)).flatMap(([what, { format, content }]) =>
      books(format).map((to): Variant => variantOf(what, format, content, to)),
    ),
    ...['docx', 'odt', 'epub'].map(
      (to): Variant => ({
        ...variantOf('images whose types are paths', 'md', climbingImages(`..${bait.folder}/pwned`), to),
        check: hasPlainNames,
      }),
    ),
  ],
}

function variantOf(what: string, format: string, content: string, to: string): Variant {
  return { what: `${what}, to ${to}`, filename: `x.${format}`, from: format, content, to }
}

async function hasPlainNames(outputs: readonly Output[]): Promise<void> {
  for (const { bytes } of outputs) {
    for (const name of (await openZip(bytes)).keys()) expect(name).not.toMatch(/\.\.|%2e|^\/|\\/i)
  }
}

const recipe = ({ folder, url }: Bait) => `#!/usr/bin/env python
from calibre.web.feeds.news import BasicNewsRecipe
open('${folder}/pwned', 'w').write('x')
class X(BasicNewsRecipe):
    title = 'x'
    feeds = [('x', '${url}/feed')]
`

const recipes: Attack = {
  id: 'A10',
  title: 'books run nothing and get no file, and a recipe is no book',
  variants: (bait) => {
    const content = recipe(bait)
    const names = ['x.recipe', 'x.downloaded_recipe', 'x.epub', 'x.fb2', 'x.mobi']
    return [
      // Without a sign that it is a book, it is text to be printed.
      ...names.map((filename): Variant => ({ what: `a recipe as ${filename}`, filename, content, to: 'pdf' })),
      { what: 'a recipe declared as a book', filename: 'x.recipe', from: 'epub', content, to: 'pdf', end: 'refused' },
      ...Object.entries(hostileBooks(bait)).flatMap(([what, book]) =>
        ['html', 'txt'].map((to): Variant => ({ what: `${what}, to ${to}`, filename: 'x.epub', content: book, to })),
      ),
    ]
  },
  packsCanary: true,
}

/** Books that refer to a file, a host or a path outside their archive. */
function hostileBooks({ file, picture, folder, url }: Bait): Readonly<Record<string, Buffer>> {
  const lock = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><CipherData><CipherReference URI="../../../../..${file}"/></CipherData></EncryptedData></encryption>`
  const leaving = `<p>words</p><img src="file://${picture}"/><img src="../../../../../..${picture}"/><iframe src="file://${file}"></iframe><object data="${file}"></object><img src="${url}/x.png"/><script>fetch('${url}/x')</script>`
  const include = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${file}" parse="text"/>`
  return {
    'a chapter that names files and hosts': makeEpub({ chapters: [chapter(leaving)] }),
    'a chapter that includes a file': makeEpub({ chapters: [chapter(include)] }),
    'a chapter with an entity': makeEpub({
      chapters: [`<!DOCTYPE x [<!ENTITY e SYSTEM "file://${file}">]>${chapter('<p>&e;</p>')}`],
    }),
    'a style sheet of a file': makeEpub({
      chapters: [
        chapter('<p>words</p>', `<link rel="stylesheet" href="file://${file}"/><style>@import "${url}/x.css";</style>`),
      ],
    }),
    'names that climb': makeEpub({
      more: [
        { name: `../../../../../..${folder}/pwned`, content: 'x' },
        { name: `${folder}/pwned`, content: 'x' },
      ],
    }),
    'a key to a file outside': makeEpub({ more: [{ name: 'META-INF/encryption.xml', content: lock }] }),
    'a program as its title': makeEpub({
      chapters: [chapter("<h1>program: eval('open') template:{title:'x'}</h1><p>words</p>")],
    }),
  }
}

/** Attacks with texts and books. */
export const markupAttacks: readonly Attack[] = [texts, recipes]

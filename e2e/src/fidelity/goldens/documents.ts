import { label, letterPages, slides } from '../../../../fixtures/office/words.ts'
import { convert, type Golden } from '../golden.ts'

const [first, second] = letterPages
const a4 = { width: 595.3, height: 841.9 }
// At 72 dpi, a page of 595.3 points starts a 596th pixel.
const a4Pixels = { width: 596, height: 842 }
const across = { width: 841.9, height: 595.3 }
// 28 x 21 cm.
const slide = { width: 793.7, height: 595.3 }

// Arabic is written from right to left: programs order the words of such a line differently.
const letter = [first, second, 'Third page of the letter', '世界', 'مرحبا']
// Formats with a fixed encoding replace other letters.
const plainLetter = ['First page of the letter', 'Second page of the letter', 'Third page of the letter']

const letters = (['letter.docx', 'letter.odt'] as const).flatMap((input) => {
  const others = input === 'letter.docx' ? ['odt', 'doc', 'fodt'] : ['docx', 'doc', 'rtf', 'html', 'txt']
  return [
    convert(input, 'pdf', { ...a4, pages: 3, says: letter }),
    convert(input, 'pdf', { ...a4, pages: 1, says: [second], lacks: ['First', 'Third'] }, { pages: '2' }),
    convert(input, 'pdf', { ...a4, pages: 2, says: [first, 'Third'], lacks: ['Second'] }, { pages: '1,3' }),
    convert(input, 'pdf', { ...across, pages: 3, says: letter }, { orientation: 'landscape' }),
    convert(input, 'png', { files: 3, ...a4Pixels }, { dpi: 72 }),
    ...others.map((to) => convert(input, to, { says: to === 'rtf' ? plainLetter : letter })),
  ]
})

const moreLetters: readonly Golden[] = [
  convert('letter.docx', 'pdf', { ...a4, pages: 3, says: letter }, { pdf_a: '2b' }),
  convert('letter.docx', 'pdf', { ...a4, pages: 3, says: [first], password: 'sesame' }, { output_password: 'sesame' }),
  convert('letter.odt', 'jpg', { files: 1, width: 300, height: 425 }, { pages: '3', width: 300 }),
  convert('letter.odt', 'tiff', { pages: 3 }, { dpi: 50 }),
  convert('letter.docx', 'txt', { says: letter }),
  convert('letter.docx', 'html', { says: letter }),
  convert('letter.docx', 'rtf', { says: plainLetter }),
  convert('letter.odt', 'epub', { says: letter }),
]

const sales = ['Apples', 'Pears', 'Plums', '2.25', '49']
const stock = ['Boxes', 'Crates', '18.5', '425']

const tables = (['table.xlsx', 'table.ods'] as const).flatMap((input) => {
  const other = input === 'table.xlsx' ? 'ods' : 'xlsx'
  return [
    convert(input, 'pdf', { ...a4, pages: 2, says: [...sales, ...stock] }),
    convert(input, 'pdf', { ...a4, pages: 1, says: stock, lacks: ['Apples'] }, { sheets: '2' }),
    convert(input, 'pdf', { ...a4, pages: 1, says: sales, lacks: ['Boxes'] }, { sheets: '1' }),
    convert(input, 'pdf', { ...across, pages: 2, says: sales }, { orientation: 'landscape' }),
    convert(input, 'csv', { says: ['Apples,12,1.5', 'Total,49'] }),
    convert(input, other, { pages: 2, says: [...sales.slice(0, 4), 'Boxes'] }),
    convert(input, 'xls', { says: ['Apples', 'Crates', 'Stock'] }),
    convert(input, 'html', { says: [...sales.slice(0, 3), 'Crates'] }),
  ]
})

const moreTables: readonly Golden[] = [
  convert('table.ods', 'png', { files: 1, ...a4Pixels }, { sheets: '1', dpi: 72 }),
  convert('table.xlsx', 'pdf', { ...a4, pages: 2, says: sales }, { fit_to_width: true }),
  convert('table.xlsx', 'fods', { pages: 2, says: sales.slice(0, 3) }),
]

const shows: readonly Golden[] = [
  convert('slides.odp', 'pdf', { ...slide, pages: 3, says: slides }),
  convert('slides.odp', 'pdf', { ...slide, pages: 2, says: slides.slice(1), lacks: ['Opening'] }, { pages: '2-' }),
  convert('slides.odp', 'pptx', { pages: 3, says: slides }),
  convert('slides.odp', 'ppt', { says: slides }),
  convert('slides.odp', 'fodp', { pages: 3, says: slides }),
  convert('slides.odp', 'png', { files: 3, width: 794, height: 596 }, { dpi: 72 }),
  convert('slides.odp', 'jpg', { files: 1, width: 400, height: 300 }, { pages: '2', width: 400 }),
]

// 10 x 10 cm.
const drawings: readonly Golden[] = [
  convert('drawing.odg', 'pdf', { width: 283.5, height: 283.5, pages: 1, says: [label] }),
  convert('drawing.odg', 'png', { width: 394, height: 394 }, { dpi: 100 }),
  convert('drawing.odg', 'svg', { pages: 1 }),
  convert('drawing.odg', 'fodg', { pages: 1, says: [label] }),
]

// A5 landscape. Words are only checked where the program that extracts them from a PDF returns them in written order.
const scriptPage = { width: 595.3, height: 419.6, pages: 1 }

const scriptPages: readonly Golden[] = [
  convert('script-latin.docx', 'pdf', { ...scriptPage, says: ['human beings', 'Grüße', 'Łódź'] }),
  convert('script-greek.docx', 'pdf', { ...scriptPage, says: ['άνθρωποι'] }),
  convert('script-cyrillic.docx', 'pdf', { ...scriptPage, says: ['рождаются'] }),
  convert('script-hebrew.docx', 'pdf', scriptPage),
  convert('script-arabic.docx', 'pdf', scriptPage),
  convert('script-devanagari.docx', 'pdf', scriptPage),
  convert('script-bengali.docx', 'pdf', scriptPage),
  convert('script-tamil.docx', 'pdf', scriptPage),
  convert('script-thai.docx', 'pdf', scriptPage),
  convert('script-chinese.docx', 'pdf', { ...scriptPage, says: ['人人生而自由'] }),
  convert('script-japanese.docx', 'pdf', { ...scriptPage, says: ['すべての人間'] }),
  convert('script-korean.docx', 'pdf', { ...scriptPage, says: ['모든'] }),
  convert('script-emoji.docx', 'pdf', scriptPage),
]

/** Goldens with office documents as input. */
export const documentGoldens: readonly Golden[] = [
  ...letters,
  ...moreLetters,
  ...tables,
  ...moreTables,
  ...shows,
  ...drawings,
  ...scriptPages,
]

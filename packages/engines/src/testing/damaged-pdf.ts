import { rawPdf, stream } from '../pdf/hostile-pdf.ts'

const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
const content = '0 0 1 rg 20 20 60 60 re f BT /F 18 Tf 20 120 Td (Still here) Tj ET'

/** The objects of a PDF with one page that shows a blue square and the words `Still here`. */
function objects({ tree = '/Count 1', kids = '3 0 R', box = '/MediaBox [0 0 200 200]' } = {}): readonly string[] {
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] ${tree} >>`,
    `<< /Type /Page /Parent 2 0 R ${box} /Contents 4 0 R ${font} >>`,
    stream(content),
  ]
}

/** An intact PDF. */
export const soundPdf = rawPdf(objects())
const text = soundPdf.toString('latin1')
const edited = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1')

/** Common kinds of damage. */
export const damagedPdfs: Readonly<Record<string, Buffer>> = {
  'a table of objects at the wrong place': edited(/startxref\n\d+/, 'startxref\n7'),
  'a table of objects with wrong places': edited(/^\d{10} 00000 n/gm, '0000000003 00000 n'),
  'no trailer': Buffer.from(text.slice(0, text.indexOf('xref\n')), 'latin1'),
  'an end that is missing': Buffer.from(text.slice(0, text.indexOf('trailer')), 'latin1'),
  'a count of pages beyond all objects': rawPdf(objects({ tree: '/Count 1410065407' })),
  'an object with an impossible number': edited('xref\n0 5', '2147483647 0 obj\nnull\nendobj\nxref\n0 9'),
}

/** Its first page can be read. The rest of the page tree is a cycle, so programs disagree on the number of pages. */
export const circlePdf = rawPdf([
  ...objects({ tree: '/Count 2', kids: '3 0 R 5 0 R' }),
  '<< /Type /Pages /Parent 2 0 R /Kids [6 0 R] /Count 1 >>',
  '<< /Type /Pages /Parent 5 0 R /Kids [5 0 R] /Count 1 >>',
])

/** Unusual PDFs that every reader accepts. */
export const oddPdfs: Readonly<Record<string, Buffer>> = {
  'a size that is too small': edited('/Size 5', '/Size 2'),
  'no size of its page': rawPdf(objects({ box: '' })),
  'no kind of its pages': edited('/Type /Page /Parent', '/Parent'),
}

/** Writes a PDF of raw objects. They are numbered in order from 1, and the first is the catalog. */
export function rawPdf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const places: number[] = []
  for (const [n, object] of objects.entries()) {
    places.push(text.length)
    text += `${n + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

/** A stream as an object. */
export function stream(content: string, dictionary = ''): string {
  return `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`
}

/** A PDF of one page with this content, and these objects from number 5 on. */
export function onePage(
  content: string,
  { resources = '', page = '', catalog = '', more = [] as string[] } = {},
): Buffer {
  return rawPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << ${resources} >> ${page} >>`,
    stream(content),
    ...more,
  ])
}

/** A PDF that claims so many pages, all of them the same one. */
export function samePage(count: number): Buffer {
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count ${count} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 20 20] >>',
  ])
}

/** A PDF of so many small, empty pages. */
export function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, n) => `${n + 3} 0 R`)
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${count} /MediaBox [0 0 20 20] >>`,
    ...kids.map(() => '<< /Type /Page /Parent 2 0 R >>'),
  ])
}

import { change, convert, type Golden, merge } from '../golden.ts'

const both = 2

// A4 portrait is 595 x 842 points: at 72 dpi a pixel is a point, and a partial pixel counts.
const drawn: readonly Golden[] = [
  convert('two-pages.pdf', 'png', { files: both, width: 595, height: 842 }, { dpi: 72 }),
  convert('two-pages.pdf', 'png', { files: both, width: 1240, height: 1755 }),
  convert('two-pages.pdf', 'jpg', { files: both, width: 298, height: 421 }, { dpi: 36 }),
  convert('two-pages.pdf', 'jpg', { files: 1, width: 842, height: 595 }, { dpi: 72, pages: '2' }),
  convert('two-pages.pdf', 'tiff', { pages: 2, width: 595, height: 842 }, { dpi: 72 }),
  convert('ten-pages.pdf', 'png', { files: 10, width: 150, height: 200 }, { dpi: 36 }),
  convert('ten-pages.pdf', 'png', { files: 3, width: 90, height: 120 }, { width: 90, pages: '2-4' }),
  convert('ten-pages.pdf', 'png', { files: 1, width: 75, height: 100 }, { height: 100, pages: '10' }),
  convert('ten-pages.pdf', 'png', { files: 1, width: 100, height: 134 }, { width: 100, height: 400, pages: '5' }),
  convert('ten-pages.pdf', 'jpg', { files: 2, width: 300, height: 400 }, { dpi: 72, gray: true, pages: '1,10' }),
  convert('ten-pages.pdf', 'tiff', { pages: 5, width: 150, height: 200 }, { dpi: 36, pages: '1-5' }),
]

const read: readonly Golden[] = [
  convert('two-pages.pdf', 'txt', { says: ['Page 1', 'Page 2'] }),
  convert('ten-pages.pdf', 'txt', { says: ['Leaf 1 ', 'Leaf 10'] }),
  convert('ten-pages.pdf', 'txt', { says: ['Leaf 7'], lacks: ['Leaf 6', 'Leaf 8'] }, { pages: '7' }),
  convert('ten-pages.pdf', 'txt', { says: ['Leaf 3', 'Leaf 4'], lacks: ['Leaf 5'] }, { pages: '3-4', layout: 'page' }),
]

const merged: readonly Golden[] = [
  merge(['two-pages.pdf', 'ten-pages.pdf'], 'pdf', { pages: 12, width: 595, height: 842, says: ['Page 2', 'Leaf 10'] }),
  merge(['ten-pages.pdf', 'two-pages.pdf'], 'pdf', { pages: 12, width: 300, height: 400 }),
  merge(['two-pages.pdf', 'photo-40k.jpg'], 'pdf', { pages: 3 }),
]

const leaf = { width: 300, height: 400 }
const turnedLeaf = { width: 400, height: 300 }

const rewritten: readonly Golden[] = [
  convert('ten-pages.pdf', 'pdf', { ...turnedLeaf, pages: 10, says: ['Leaf 1 ', 'Leaf 10'] }, { rotate: 90 }),
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 10 }, { rotate: 180 }),
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 3, says: ['Leaf 9'], lacks: ['Leaf 1 '] }, { pages: '8-10' }),
  // In the given order, as often as given.
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 4, says: ['Leaf 7 Leaf 2'] }, { pages: '7,2,2-3' }),
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 10, says: ['Leaf 10'] }, { linearize: true }),
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 10, says: ['Leaf 4'] }, { pdf_a: '2b' }),
  convert('ten-pages.pdf', 'pdf', { ...leaf, pages: 10, says: ['Leaf 4'] }, { pdf_version: '1.4' }),
  convert(
    'ten-pages.pdf',
    'pdf',
    { ...leaf, pages: 10, says: ['Leaf 5'], password: 'sesame' },
    { output_password: 'sesame' },
  ),
]

const changed: readonly Golden[] = [
  change('trim', 'ten-pages.pdf', { ...leaf, pages: 2, says: ['Leaf 3'], lacks: ['Leaf 5'] }, { pages: '3-4' }),
  change('trim', 'two-pages.pdf', { width: 842, height: 595, pages: 1, lacks: ['Page 1'] }, { pages: '2' }),
  change('crop', 'ten-pages.pdf', { width: 100, height: 80, pages: 10 }, { x: 20, y: 60, width: 100, height: 80 }),
  change('crop', 'two-pages.pdf', { width: 595, height: 400, pages: 2, says: ['Page 1'] }, { y: 442 }),
  change('compress', 'ten-pages.pdf', { ...leaf, pages: 10, says: ['Leaf 1 ', 'Leaf 10'] }),
  change('compress', 'two-pages.pdf', { pages: 2, says: ['Page 2'] }, { level: 'extreme' }),
]

const others: readonly Golden[] = [
  convert('two-pages.pdf', 'webp', { files: both, width: 595, height: 842 }, { dpi: 72 }),
  convert('ten-pages.pdf', 'avif', { files: 1, width: 150, height: 200 }, { dpi: 36, pages: '4' }),
  convert('ten-pages.pdf', 'svg', { files: 2, pages: 1 }, { pages: '1-2' }),
  convert('two-pages.pdf', 'html', { says: ['Page 1', 'Page 2'] }),
  convert('ten-pages.pdf', 'html', { says: ['Leaf 9'], lacks: ['Leaf 8'] }, { pages: '9' }),
  convert('ten-pages.pdf', 'docx', { says: ['Leaf 1', 'Leaf 10'] }),
  convert('two-pages.pdf', 'odt', { says: ['Page 1', 'Page 2'] }),
  convert('two-pages.pdf', 'rtf', { says: ['Page 1', 'Page 2'] }),
]

// Pages of 300 x 200 points.
const postScript: readonly Golden[] = [
  convert('pages.ps', 'pdf', { width: 300, height: 200, pages: 2, says: ['First leaf', 'Second leaf'] }),
  convert('pages.ps', 'png', { files: 2, width: 300, height: 200 }, { dpi: 72 }),
  convert('pages.ps', 'jpg', { files: 1, width: 150, height: 100 }, { dpi: 36, pages: '2' }),
  convert('drawing.eps', 'pdf', { width: 300, height: 200, pages: 1, says: ['Labelled picture'] }),
  convert('drawing.eps', 'png', { width: 600, height: 400 }, { dpi: 144 }),
]

const mergedMore: readonly Golden[] = [
  merge(['photo-40k.jpg', 'alpha.png', 'ten-pages.pdf'], 'pdf', { pages: 12 }),
  merge(['ten-pages.pdf', 'two-pages.pdf'], 'pdf', { pages: 3, says: ['Leaf 2', 'Page 1'] }, { pages: '1:2-3;2:1' }),
  // At 150 dpi, A4 is 1240.2 x 1753.95 pixels.
  merge(
    ['photo-40k.jpg', 'alpha.png'],
    'pdf',
    { width: 595.3, height: 841.9, pages: 2 },
    { pdf_page_size: '1240.2x1753.95' },
  ),
]

/** Goldens with PDF as input. */
export const pdfGoldens: readonly Golden[] = [
  ...drawn,
  ...read,
  ...merged,
  ...rewritten,
  ...changed,
  ...others,
  ...postScript,
  ...mergedMore,
]

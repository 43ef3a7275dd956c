import { convert, type Golden, merge } from '../golden.ts'

const both = 2

// A4 upright is 595 x 842 points: pixels are points at 72 dots an inch, and a pixel that is begun counts.
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

/** PDF in. */
export const pdfGoldens: readonly Golden[] = [...drawn, ...read, ...merged]

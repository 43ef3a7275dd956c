import { pagesWord } from '@lathe/operations'
import { textOption } from '../option-descriptor.ts'
import { dpi, password } from '../pages/options.ts'
import { pdfOptions as pictureOptions, sheetOptions } from '../pictures/pdf-options.ts'
import { density, effectDensity, gifMergeOptions } from '../pictures/picture-options.ts'
import { common } from './document-options.ts'

const mergePages = textOption(
  {
    name: 'pages',
    label: 'Pages',
    hint: 'Pages to take from each file, such as 1:1-3;3:2,5- for pages 1 to 3 of the first file and page 2 and all from page 5 of the third. Files that are not listed are included completely.',
  },
  { pattern: new RegExp(`^\\d{1,4}:${pagesWord}(?:;\\d{1,4}:${pagesWord}){0,199}$`), maxLength: 4000 },
)

/** The options for merging files into one PDF: how images are placed on pages, and which pages are used. */
export const mergeOptions = [mergePages, ...pictureOptions, ...sheetOptions, ...common]

/** The same if one of the files is a drawing. */
export const drawingMergeOptions = [...mergeOptions, effectDensity]

/** The options for making frames of images and pages. */
export const framePictureOptions = [...gifMergeOptions, density]

/** The same if one of the files is a document. */
export const framePageOptions = [...gifMergeOptions, mergePages, dpi, password]

/** The requested pages by the number of their file, counted from 1. */
export function pagesByFile(text: string | undefined): ReadonlyMap<number, string> {
  const parts = text?.split(';').map((part) => part.split(':')) ?? []
  return new Map(parts.map(([file, pages = '']) => [Number(file), pages]))
}

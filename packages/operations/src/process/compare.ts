import { defineProcess } from '../define.ts'

export const compare = defineProcess({
  name: 'compare',
  summary: 'Compare files',
  description:
    'Compares a file with another version of it, set as `other`: images by their pixels, PDF files page by page and by their text, texts by their lines. `json` is a report, `png` shows the differences.',
  inputs: {
    files: 'each',
    roles: {
      other: {
        description: 'The file to compare with: an image for an image, a PDF for a PDF, a text for a text.',
        formats: ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff', 'svg', 'pdf', 'txt', 'md', 'csv', 'html'],
      },
    },
  },
  output: { usual: 'json' },
})

import { defineProcess } from '../define.ts'

export const watermark = defineProcess({
  name: 'watermark',
  summary: 'Add watermarks',
  description: 'Places a text or another image on images, on pages of a PDF and on videos.',
  inputs: {
    files: 'each',
    roles: {
      overlay: {
        description: 'The image to place.',
        formats: ['png', 'jpg', 'webp', 'svg', 'avif', 'gif', 'tiff'],
        isOptional: true,
      },
    },
  },
  output: 'same',
  check({ options, overlay }) {
    const hasText = typeof options === 'object' && options !== null && Object.hasOwn(options, 'text')
    if (hasText && overlay !== undefined) {
      return [{ path: 'overlay', code: 'conflict', msg: 'cannot be combined with options.text. Set one of them.' }]
    }
    if (hasText || overlay !== undefined) return []
    return [{ path: 'options', code: 'required', msg: 'must have text, unless overlay names an image to place.' }]
  },
})

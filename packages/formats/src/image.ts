import { toFormats } from './format.ts'

/** Pictures, still and animated, drawn by pixels or by shapes. */
export const imageFormats = toFormats('image', [
  ['jpg', 'image/jpeg', 'JPEG image', 'jpeg', 'jpe', 'jfif'],
  ['png', 'image/png', 'Portable Network Graphics', 'apng'],
  ['webp', 'image/webp', 'WebP image'],
  ['avif', 'image/avif', 'AV1 image', 'avifs'],
  ['gif', 'image/gif', 'Graphics Interchange Format'],
  ['tiff', 'image/tiff', 'Tagged Image File Format', 'tif'],
  ['svg', 'image/svg+xml', 'Scalable Vector Graphics'],
  ['heic', 'image/heic', 'High Efficiency Image', 'heif', 'heics'],
  ['bmp', 'image/bmp', 'Windows bitmap', 'dib'],
  ['ico', 'image/vnd.microsoft.icon', 'Windows icon'],
  ['jxl', 'image/jxl', 'JPEG XL image'],
  ['jp2', 'image/jp2', 'JPEG 2000 image', 'jpg2', 'j2k', 'j2c'],
  ['psd', 'image/vnd.adobe.photoshop', 'Photoshop document'],
])

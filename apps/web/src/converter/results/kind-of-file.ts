import { findFormat } from '@lathe/formats'

/** How the dialog shows a file: as the browser does, or page by page as the service draws it. */
export type ShownAs = 'image' | 'audio' | 'video' | 'text' | 'pages'

// The media types of images that every browser shows. An SVG without its type is not drawn.
const images: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
}
// Larger files take too long to load and too much memory.
const mostBytes = 50_000_000

/** How to show a file with this name and size; everything else is shown as the service draws it, if it can. */
export function kindOfFile(name: string, size: number): ShownAs {
  const format = findFormat(extensionOf(name))
  if (format?.family === 'text') return 'text'
  if (!format || size > mostBytes) return 'pages'
  if (mediaTypeOf(name)) return 'image'
  return format.family === 'audio' || format.family === 'video' ? format.family : 'pages'
}

/** The media type of an image that browsers show. */
export function mediaTypeOf(name: string): string | undefined {
  return images[findFormat(extensionOf(name))?.ext ?? '']
}

export function extensionOf(name: string): string {
  return name.split('.').at(-1)?.toLowerCase() ?? ''
}

/**
 * Bytes that stand at a fixed place and name the format alone. Strings hold one byte per character.
 * Order matters: the first that fits wins, so a file with two valid signatures is always the same thing.
 */
export const signatures: readonly { readonly ext: string; readonly at: number; readonly bytes: string }[] = [
  { ext: 'jpg', at: 0, bytes: '\xff\xd8\xff' },
  { ext: 'png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { ext: 'gif', at: 0, bytes: 'GIF87a' },
  { ext: 'gif', at: 0, bytes: 'GIF89a' },
  { ext: 'tiff', at: 0, bytes: 'II*\0' },
  { ext: 'tiff', at: 0, bytes: 'MM\0*' },
  { ext: 'tiff', at: 0, bytes: 'II+\0' },
  { ext: 'tiff', at: 0, bytes: 'MM\0+' },
  { ext: 'jxl', at: 0, bytes: '\0\0\0\x0cJXL \r\n\x87\n' },
  { ext: 'jxl', at: 0, bytes: '\xff\x0a' },
  { ext: 'jp2', at: 0, bytes: '\0\0\0\x0cjP  \r\n\x87\n' },
  { ext: 'jp2', at: 0, bytes: '\xff\x4f\xff\x51' },
  { ext: 'psd', at: 0, bytes: '8BPS\0' },
  { ext: 'pdf', at: 0, bytes: '%PDF-' },
  { ext: 'rtf', at: 0, bytes: '{\\rtf' },
  { ext: 'flac', at: 0, bytes: 'fLaC' },
  { ext: 'mp3', at: 0, bytes: 'ID3' },
  { ext: '7z', at: 0, bytes: '7z\xbc\xaf\x27\x1c' },
  { ext: 'rar', at: 0, bytes: 'Rar!\x1a\x07' },
  { ext: 'gz', at: 0, bytes: '\x1f\x8b\x08' },
  { ext: 'tar', at: 257, bytes: 'ustar' },
]

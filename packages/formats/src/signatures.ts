/** Bytes at a fixed offset that identify a format. */
export interface Signature {
  readonly ext: string
  readonly at: number
  readonly bytes: string
  /** Formats with the same signature. */
  readonly variants?: readonly string[]
}

/**
 * Bytes at a fixed offset that are enough to identify the format. Strings hold one byte per character.
 * Order matters: the first match wins, so a file with two valid signatures is always detected as the same format.
 */
export const signatures: readonly Signature[] = [
  { ext: 'jpg', at: 0, bytes: '\xff\xd8\xff' },
  { ext: 'gif', at: 0, bytes: 'GIF87a' },
  { ext: 'gif', at: 0, bytes: 'GIF89a' },
  { ext: 'jxl', at: 0, bytes: '\0\0\0\x0cJXL \r\n\x87\n' },
  { ext: 'jxl', at: 0, bytes: '\xff\x0a' },
  { ext: 'jp2', at: 0, bytes: '\0\0\0\x0cjP  \r\n\x87\n' },
  { ext: 'jp2', at: 0, bytes: '\xff\x4f\xff\x51' },
  { ext: 'psd', at: 0, bytes: '8BPS\0' },
  { ext: 'xcf', at: 0, bytes: 'gimp xcf ' },
  { ext: 'exr', at: 0, bytes: '\x76\x2f\x31\x01' },
  { ext: 'hdr', at: 0, bytes: '#?RADIANCE\n' },
  { ext: 'hdr', at: 0, bytes: '#?RGBE\n' },
  { ext: 'dds', at: 0, bytes: 'DDS \x7c\0\0\0' },
  { ext: 'ras', at: 0, bytes: '\x59\xa6\x6a\x95' },
  { ext: 'dcx', at: 0, bytes: '\xb1\x68\xde\x3a' },
  { ext: 'fits', at: 0, bytes: 'SIMPLE  =' },
  { ext: 'pcd', at: 2048, bytes: 'PCD_IPI' },
  { ext: 'pam', at: 0, bytes: 'P7\nWIDTH ' },
  { ext: 'raw', at: 0, bytes: 'IIU\0' },
  { ext: 'raw', at: 0, bytes: 'IIRO' },
  { ext: 'raw', at: 0, bytes: 'IIRS' },
  { ext: 'raw', at: 0, bytes: 'MMOR' },
  { ext: 'raw', at: 0, bytes: 'FUJIFILMCCD-RAW' },
  { ext: 'raw', at: 0, bytes: 'FOVb' },
  { ext: 'raw', at: 0, bytes: '\0MRM' },
  { ext: 'raw', at: 6, bytes: 'HEAPCCDR' },
  // Illustrator writes its drawings as PDF.
  { ext: 'pdf', at: 0, bytes: '%PDF-', variants: ['ai'] },
  { ext: 'rtf', at: 0, bytes: '{\\rtf' },
  { ext: 'djvu', at: 0, bytes: 'AT&TFORM' },
  { ext: 'wri', at: 0, bytes: '1\xbe\0\0\0\xab' },
  { ext: 'wri', at: 0, bytes: '2\xbe\0\0\0\xab' },
  { ext: 'hwp', at: 0, bytes: 'HWP Document File V' },
  { ext: 'flac', at: 0, bytes: 'fLaC' },
  { ext: 'flv', at: 0, bytes: 'FLV\x01' },
  { ext: 'mpg', at: 0, bytes: '\0\0\x01\xba' },
  // A video stream without a container.
  { ext: 'mpg', at: 0, bytes: '\0\0\x01\xb3' },
  { ext: 'mid', at: 0, bytes: 'MThd\0\0\0\x06' },
  { ext: 'wv', at: 0, bytes: 'wvpk' },
  { ext: 'tta', at: 0, bytes: 'TTA1' },
  { ext: 'aac', at: 0, bytes: 'ADIF' },
  { ext: 'amr', at: 0, bytes: '#!AMR\n' },
  { ext: 'amr', at: 0, bytes: '#!AMR-WB\n' },
  { ext: '7z', at: 0, bytes: '7z\xbc\xaf\x27\x1c' },
  { ext: 'rar', at: 0, bytes: 'Rar!\x1a\x07' },
  // A name may indicate a drawing inside; only `lookCloser` can check that.
  { ext: 'gz', at: 0, bytes: '\x1f\x8b\x08', variants: ['svg', 'emf', 'wmf', 'tar.gz'] },
  { ext: 'tar', at: 257, bytes: 'ustar' },
]

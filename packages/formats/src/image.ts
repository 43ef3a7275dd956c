import { toFormats } from './format.ts'

/** What camera makers call their raw files. */
const cameraExtensions = [
  ...['3fr', 'arw', 'cr2', 'cr3', 'crw', 'dcr', 'erf', 'fff', 'iiq', 'kdc', 'mef', 'mos', 'mrw'],
  ...['nef', 'nrw', 'orf', 'pef', 'raf', 'rw2', 'rwl', 'sr2', 'srf', 'srw', 'x3f'],
]

/** Pictures, still and animated, drawn by pixels or by shapes. */
export const imageFormats = toFormats('image', [
  ['jpg', 'image/jpeg', 'JPEG image', 'jpeg', 'jpe', 'jfif', 'mpo'],
  ['png', 'image/png', 'Portable Network Graphics'],
  ['webp', 'image/webp', 'WebP image'],
  ['avif', 'image/avif', 'AV1 image', 'avifs'],
  ['gif', 'image/gif', 'Graphics Interchange Format'],
  ['tiff', 'image/tiff', 'Tagged Image File Format', 'tif'],
  ['svg', 'image/svg+xml', 'Scalable Vector Graphics', 'svgz'],
  ['emf', 'image/emf', 'Windows enhanced metafile', 'emz'],
  ['wmf', 'image/wmf', 'Windows metafile', 'wmz'],
  ['eps', 'image/x-eps', 'Encapsulated PostScript', 'epsf', 'epsi'],
  ['ai', 'application/vnd.adobe.illustrator', 'Illustrator drawing'],
  ['heic', 'image/heic', 'High Efficiency Image', 'heif', 'heics'],
  ['bmp', 'image/bmp', 'Windows bitmap', 'dib'],
  ['ico', 'image/vnd.microsoft.icon', 'Windows icon'],
  ['jxl', 'image/jxl', 'JPEG XL image'],
  ['jp2', 'image/jp2', 'JPEG 2000 image', 'jpg2', 'j2k', 'j2c', 'jpf', 'jpx'],
  ['psd', 'image/vnd.adobe.photoshop', 'Photoshop document', 'psb'],
  ['tga', 'image/x-tga', 'Truevision Targa image', 'icb', 'vda'],
  ['xcf', 'image/x-xcf', 'GIMP image'],
  ['exr', 'image/x-exr', 'OpenEXR image'],
  ['hdr', 'image/vnd.radiance', 'Radiance image', 'rgbe'],
  ['dds', 'image/vnd-ms.dds', 'DirectDraw surface'],
  ['ppm', 'image/x-portable-pixmap', 'Portable pixmap', 'pnm'],
  ['pgm', 'image/x-portable-graymap', 'Portable graymap'],
  ['pbm', 'image/x-portable-bitmap', 'Portable bitmap'],
  ['pam', 'image/x-portable-arbitrarymap', 'Portable arbitrary map'],
  ['pcx', 'image/vnd.zbrush.pcx', 'PC Paintbrush image'],
  ['apng', 'image/apng', 'Animated PNG image'],
  ['sgi', 'image/x-sgi', 'Silicon Graphics image', 'rgb', 'rgba', 'bw'],
  ['ras', 'image/x-sun-raster', 'Sun raster image', 'sun'],
  ['qoi', 'image/qoi', 'Quite OK Image'],
  ['cur', 'image/x-win-cursor', 'Windows cursor'],
  ['icns', 'image/icns', 'Apple icon'],
  ['fits', 'image/fits', 'Flexible Image Transport System image', 'fit', 'fts'],
  ['pfm', 'image/x-portable-floatmap', 'Portable floatmap'],
  ['dcx', 'image/x-dcx', 'Multi-page PC Paintbrush image'],
  ['pcd', 'image/x-photo-cd', 'Kodak Photo CD image'],
  ['fli', 'video/x-fli', 'Autodesk animation', 'flc'],
  // One decoder reads the files of all cameras, whatever the maker calls them.
  ['raw', 'image/x-dcraw', 'Camera raw file', 'dng', ...cameraExtensions],
])

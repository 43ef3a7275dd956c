import type { Detected } from './detect.ts'

const sure = (ext: string, ...variants: readonly string[]): Detected => ({
  ext,
  conclusive: true,
  ...(variants.length > 0 && { variants }),
})

/** The folders that Microsoft's programs use. A compressed part determines the exact kind. */
const officeFolders: Readonly<Record<string, Detected>> = {
  'word/': sure('docx', 'docm', 'dotx'),
  'xl/': sure('xlsx', 'xlsm', 'xltx'),
  'ppt/': sure('pptx', 'pptm', 'ppsx'),
  'visio/': sure('vsdx', 'vsdm'),
}

const markerParts: Readonly<Record<string, string>> = {
  'word/vbaProject.bin': 'docm',
  'xl/vbaProject.bin': 'xlsm',
  'ppt/vbaProject.bin': 'pptm',
  'visio/vbaProject.bin': 'vsdm',
  'xl/workbook.bin': 'xlsb',
}

/** Detects the kind of a zip by the names of its entries. */
export function kindOfNames(names: readonly string[]): Detected | undefined {
  return kindOfPackage(names) ?? kindOfApple(names) ?? kindOfOther(new Set(names), names)
}

function kindOfPackage(names: readonly string[]): Detected | undefined {
  // Some programs write the names in upper case, or with a leading slash.
  const plain = names.map((name) => name.replace(/^\//, '').replaceAll('\\', '/'))
  const isPackage = plain.some((name) => /^(?:\[content_types\]\.xml|_rels\/)/i.test(name))
  if (!isPackage) return undefined
  const telling = plain.find((name) => Object.hasOwn(markerParts, name))
  if (telling === 'xl/workbook.bin' || plain.includes('xl/workbook.bin')) return sure('xlsb')
  if (telling !== undefined) return sure(markerParts[telling] ?? '')
  if (plain.some((name) => /\.fdseq$|^FixedDocumentSequence/i.test(name))) return sure('xps')
  if (plain.some((name) => /^3D\/3dmodel\.model$/i.test(name))) return sure('3mf')
  const folders = Object.entries(officeFolders)
  return folders.find(([folder]) => plain.some((name) => name.toLowerCase().startsWith(folder)))?.[1]
}

function kindOfApple(names: readonly string[]): Detected | undefined {
  const isSlides = (name: string) => /^(?:index\.apxl(?:\.gz)?|Index\/(?:Master|Template)?Slide[^/]*\.iwa)$/.test(name)
  if (names.some(isSlides)) return sure('key')
  // On a Mac such a document may be a folder, which browsers zip for the upload.
  const folder = /^[^/]{1,255}\.(key|pages|numbers)\/(?:Index\.zip|Index\/|index\.)/
  const packed = names.map((name) => folder.exec(name)?.[1]).find((ext) => ext !== undefined)
  if (packed !== undefined) return sure(packed)
  const isBundle = names.some((name) => /^(?:Index\/Document\.iwa|Index\.zip|index\.xml\.gz)$/.test(name))
  const isOld =
    names.includes('index.xml') && names.some((name) => /^(?:buildVersionHistory\.plist|QuickLook\/)/.test(name))
  // Pages and Numbers use the same part names.
  return isBundle || isOld ? sure('pages', 'numbers', 'key') : undefined
}

function kindOfOther(known: ReadonlySet<string>, names: readonly string[]): Detected | undefined {
  if (known.has('META-INF/container.xml') && names.some((name) => /\.opf$/i.test(name))) return sure('epub')
  if (known.has('AndroidManifest.xml')) return sure('apk')
  if (names.some((name) => /^Payload\/[^/]{1,128}\.app\//.test(name))) return sure('ipa')
  if (known.has('META-INF/MANIFEST.MF') && names.some((name) => name.endsWith('.class'))) return sure('jar')
  if (known.has('doc.kml')) return sure('kmz')
  // If it is declared as a zip, the client wants the files inside.
  if (isShapefile(names)) return sure('shz', 'zip')
  if (known.has('document.json') && known.has('meta.json') && names.some((name) => name.startsWith('pages/'))) {
    return sure('sketch')
  }
  return undefined
}

// The three files that every shapefile has.
function isShapefile(names: readonly string[]): boolean {
  const has = (ending: RegExp) => names.some((name) => ending.test(name))
  return has(/\.shp$/i) && has(/\.shx$/i) && has(/\.dbf$/i)
}

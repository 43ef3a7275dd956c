import { archiveFormats } from './archive-and-text.ts'

/** A format that we can detect but not convert. */
export interface Recognised {
  /** The usual extension: lower case, no dot. */
  readonly ext: string
  readonly name: string
  /** What the user can do instead; empty if nothing helps. */
  readonly advice: string
  readonly aliases: readonly string[]
  /** The simpler format as which the file can be read, for sources that are plain text. */
  readonly readAs?: 'txt'
}

type Row = readonly [ext: string, name: string, ...aliases: string[]]

function rows(advice: string, list: readonly Row[]): readonly Recognised[] {
  return list.map(([ext, name, ...aliases]) => ({ ext, name, advice, aliases }))
}

const saveAs = (targets: string) => `Save it as ${targets}, then import that.`
const unpack = 'Extract it, then import the files inside.'

const documents = [
  ...rows(saveAs('pdf or docx'), [
    ['one', 'OneNote section', 'onetoc2', 'onepkg'],
    ['flatopc', 'Word document as one XML file'],
    ['hwpx', 'Hangul document (OWPML)'],
    ['lwp', 'Lotus Word Pro document'],
    ['smf', 'StarOffice formula', 'sxm', 'odf'],
    ['sds', 'StarOffice chart'],
    ['indd', 'InDesign document'],
    ['idml', 'InDesign markup document'],
    ['pmd', 'PageMaker document', 'p65'],
    ['qxd', 'QuarkXPress document'],
  ]),
  ...rows(saveAs('xlsx or csv'), [
    ['mdb', 'Access database'],
    ['accdb', 'Access database (2007 or newer)'],
    ['sqlite', 'SQLite database'],
    ['odb', 'OpenDocument database'],
    ['wk1', 'Lotus 1-2-3 spreadsheet', 'wk3', 'wk4', '123', 'wks'],
    ['qpw', 'Quattro Pro spreadsheet', 'wb1', 'wb2', 'wb3'],
    ['xlr', 'Microsoft Works spreadsheet'],
    ['xlam', 'Excel add-in', 'xla'],
  ]),
  ...rows(saveAs('pdf'), [
    ['mpp', 'Project plan', 'mpt'],
    ['chm', 'Windows help file', 'hlp'],
    ['lit', 'Microsoft Reader book'],
    ['webarchive', 'Safari web archive'],
    ['dvi', 'TeX DVI document'],
  ]),
  ...rows('Export its messages as eml, then import those.', [
    ['pst', 'Outlook data file', 'ost'],
    ['tnef', 'Outlook attachment (winmail.dat)'],
  ]),
]

const scenes: readonly Row[] = [
  ['blend', 'Blender scene'],
  ['sldprt', 'SolidWorks part', 'sldasm', 'slddrw'],
  ['3mf', '3MF 3D model'],
  ['step', 'STEP 3D model', 'stp'],
]

const pictures = [
  ...rows(saveAs('png or jpg'), [
    ['bpg', 'Better Portable Graphics image'],
    ['psp', 'Paint Shop Pro image', 'pspimage'],
    ['cin', 'Cineon image'],
    ['jxr', 'JPEG XR image', 'wdp', 'hdp'],
    ['flif', 'Free Lossless Image Format image'],
    ['ilbm', 'Amiga image', 'lbm', 'iff'],
    ['fpx', 'FlashPix image'],
    ['ktx', 'Khronos texture'],
    ['ani', 'Windows animated cursor'],
    ['ora', 'OpenRaster image'],
    ['kra', 'Krita image'],
    ['envi', 'ENVI image header'],
  ]),
  ...rows(saveAs('dxf in its text form, pdf or svg'), [['dxb', 'binary AutoCAD exchange drawing']]),
  ...rows(saveAs('pdf or svg'), [
    ['dwg', 'AutoCAD drawing'],
    ['cdr', 'CorelDRAW drawing'],
    ['wpg', 'WordPerfect graphic'],
    ['sketch', 'Sketch drawing'],
    ['fig', 'Xfig drawing'],
  ]),
  ...rows('Render it as png, then import that.', scenes),
]

const media = [
  ...rows(saveAs('wav, flac or mp3'), [
    ['ofr', 'OptimFROG audio'],
    ['sf2', 'sound font'],
    ['8svx', 'Amiga audio'],
  ]),
]

const archives = [
  ...rows(unpack, [
    ['lz4', 'LZ4 file'],
    ['lz', 'Lzip file'],
    ['z', 'Unix compressed file'],
    ['cab', 'Windows cabinet'],
    ['arj', 'ARJ archive'],
    ['lha', 'LHA archive', 'lzh'],
    ['sit', 'StuffIt archive', 'sitx'],
    ['xar', 'XAR archive', 'pkg'],
    ['ar', 'Unix archive', 'a', 'deb'],
    ['rpm', 'RPM package'],
    ['warc', 'web crawl archive'],
    ['applesingle', 'AppleSingle file', 'appledouble'],
    ['jar', 'Java archive', 'war'],
    ['kmz', 'compressed map'],
  ]),
  ...rows('', [
    ['thmx', 'Office theme'],
    ['exe', 'Windows program', 'dll', 'com'],
    ['msi', 'Windows installer', 'msp'],
    ['elf', 'Linux program', 'so'],
    ['macho', 'macOS program', 'dylib'],
    ['class', 'Java class'],
    ['wasm', 'WebAssembly module'],
    ['apk', 'Android app'],
    ['ipa', 'iOS app'],
    ['lnk', 'Windows shortcut'],
    ['thumbsdb', 'Windows thumbnail cache'],
    ['vmdk', 'virtual disk', 'vhd', 'qcow2'],
    ['pcap', 'network capture'],
    ['torrent', 'BitTorrent file'],
    ['icc', 'colour profile', 'icm'],
    ['hdf5', 'HDF5 data', 'h5'],
    ['netcdf', 'NetCDF data', 'nc'],
    ['plist', 'Apple property list'],
  ]),
  ...rows('Lathe does not know the program that wrote it.', [['ole', 'OLE compound file']]),
]

const sources: readonly Row[] = [
  ['gv', 'Graphviz source'],
  ['pem', 'key or certificate', 'crt'],
]

/** Every format that detection can name but no engine accepts. Rows here and in `formats` never share a name. */
export const recognised: readonly Recognised[] = [
  ...documents,
  ...pictures,
  ...media,
  ...archives,
  ...rows('', sources).map((row) => ({ ...row, readAs: 'txt' as const })),
]

const byExtension = new Map(recognised.flatMap((one) => [one.ext, ...one.aliases].map((ext) => [ext, one])))

/** Finds a format that can only be detected, by extension or alias, case-insensitive. */
export function findRecognised(ext: string): Recognised | undefined {
  return ext.length > 16 ? undefined : byExtension.get(ext.toLowerCase())
}

const forFormats: Readonly<Record<string, string>> = {
  ...Object.fromEntries(archiveFormats.map(({ ext }) => [ext, 'Extract it first, with the operation extract.'])),
  msg: saveAs('eml or pdf'),
  eml: saveAs('pdf'),
  mbox: saveAs('pdf'),
  pub: saveAs('pdf'),
  vsd: saveAs('vsdx or pdf'),
  wps: saveAs('docx'),
  hwp: saveAs('docx or pdf'),
  pages: saveAs('docx or pdf'),
  numbers: saveAs('xlsx or pdf'),
  key: saveAs('pptx or pdf'),
  swf: 'Record it as a video, then import that.',
}

/** What the user can do if no engine accepts the format of a file; empty if nothing helps. */
export function adviceFor(ext: string): string {
  return findRecognised(ext)?.advice ?? forFormats[ext] ?? ''
}

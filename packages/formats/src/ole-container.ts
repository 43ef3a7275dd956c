import { hasText } from './bytes.ts'
import type { Detected } from './detect.ts'
import { type Looking, lookInHead } from './looking.ts'
import { type OleRoot, readOleRoot } from './ole-directory.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Streams and folders that only one program puts into the root, in upper case. The first match decides. */
const kinds: readonly (readonly [ext: string, names: readonly string[]])[] = [
  ['msg', ['__PROPERTIES_VERSION1.0']],
  ['vsd', ['VISIODOCUMENT']],
  ['pub', ['QUILL', 'CONTENTS']],
  ['hwp', ['FILEHEADER', 'DOCINFO']],
  ['sdw', ['STARWRITERDOCUMENT']],
  ['sdc', ['STARCALCDOCUMENT']],
  ['sdd', ['STARDRAWDOCUMENT3']],
  ['sdd', ['STARDRAWDOCUMENT']],
  ['smf', ['STARMATHDOCUMENT']],
  ['sds', ['STARCHARTDOCUMENT']],
  ['qpw', ['NATIVECONTENT_MAIN']],
  ['wpd', ['PERFECTOFFICE_MAIN']],
  ['sldprt', ['SWDOCCONTENTMGR']],
  ['xlr', ['WKSSSWORKBOOK']],
  ['doc', ['WORDDOCUMENT']],
  ['ppt', ['POWERPOINT DOCUMENT']],
  ['ppt', ['PP97_DUALSTORAGE']],
  ['ppt', ['PP40']],
  ['xls', ['WORKBOOK']],
  ['xls', ['BOOK']],
  ['wps', ['MATOST']],
  ['wps', ['SPELLING', 'CONTENTS']],
  ['thumbsdb', ['CATALOG', '1']],
]

/** The class ids of programs whose streams have no distinctive names. */
const classes: Readonly<Record<string, string>> = {
  '00021201-0000-0000-00C0-000000000046': 'pub',
  '00021302-0000-0000-C000-000000000046': 'wps',
  '28CDDBC2-0AE2-11CE-A29A-00AA004A1A72': 'wps',
  '28CDDBC3-0AE2-11CE-A29A-00AA004A1A72': 'wps',
  '0EA45AB2-9E0A-11D1-A407-00C04FB932BA': 'wps',
  '74B78F3A-C8C8-11D1-BE11-00C04FB6FAF1': 'mpp',
  '000C1084-0000-0000-C000-000000000046': 'msi',
  '000C1086-0000-0000-C000-000000000046': 'msi',
  '56616700-C154-11CE-8553-00AA00A1F95B': 'fpx',
}

/** StarOffice Draw and Impress use the same stream names. */
const drawClass = '2E8905A0-85BD-11D1-89D0-008029E4B0B1'

/** Whether a file is a compound file: old office programs wrote them, and mail programs and installers still do. */
export function isOle(head: Uint8Array): boolean {
  return hasText(head, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
}

/** Detects a compound file as far as its directory is within the head. */
export function detectOle(head: Uint8Array): Detected | undefined {
  return isOle(head) ? lookInHead(lookAtOle(), head) : undefined
}

/** Detects a compound file by the content of its root folder. */
export function* lookAtOle(): Looking<Detected> {
  const root = yield* readOleRoot()
  return (root && kindOf(root)) ?? { ext: 'ole', conclusive: false }
}

function kindOf({ classId, names }: OleRoot): Detected | undefined {
  const present = new Set(names.map((name) => name.toUpperCase()))
  // A protected document of a newer program: its kind is not visible without the password.
  if (present.has('ENCRYPTEDPACKAGE')) return { ext: 'docx', conclusive: false }
  const known = classes[classId]
  if (known !== undefined) return sure(known)
  const found = kinds.find(([, wanted]) => wanted.every((name) => present.has(name)))?.[0]
  if (found === 'sdd' && classId === drawClass) return sure('sda')
  // One bit inside the document marks a template; the file name decides instead.
  if (found === 'doc') return { ...sure('doc'), variants: ['dot'] }
  if (found !== undefined) return sure(found)
  // Project names its folders with three spaces and a number.
  return names.some((name) => /^ {3}1\d{0,2}$/.test(name)) ? sure('mpp') : undefined
}

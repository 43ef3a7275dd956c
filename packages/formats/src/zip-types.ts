const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'
const starOffice = 'application/vnd.sun.xml'

const mimetypes: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  [`${openDocument}.text`]: 'odt',
  [`${openDocument}.text-master`]: 'odt',
  [`${openDocument}.text-web`]: 'odt',
  [`${openDocument}.spreadsheet`]: 'ods',
  [`${openDocument}.presentation`]: 'odp',
  [`${openDocument}.graphics`]: 'odg',
  [`${openDocument}.text-template`]: 'ott',
  [`${openDocument}.spreadsheet-template`]: 'ots',
  [`${openDocument}.presentation-template`]: 'otp',
  [`${openDocument}.graphics-template`]: 'otg',
  [`${openDocument}.formula`]: 'smf',
  [`${openDocument}.base`]: 'odb',
  [`${openDocument}.database`]: 'odb',
  [`${starOffice}.writer`]: 'sxw',
  [`${starOffice}.writer.global`]: 'sxw',
  [`${starOffice}.writer.template`]: 'stw',
  [`${starOffice}.calc`]: 'sxc',
  [`${starOffice}.calc.template`]: 'stc',
  [`${starOffice}.impress`]: 'sxi',
  [`${starOffice}.impress.template`]: 'sti',
  [`${starOffice}.draw`]: 'sxd',
  [`${starOffice}.draw.template`]: 'std',
  [`${starOffice}.math`]: 'smf',
  'application/hwp+zip': 'hwpx',
  'application/vnd.adobe.indesign-idml-package': 'idml',
  'image/openraster': 'ora',
  'application/x-krita': 'kra',
}

/** The format named by a part `mimetype` or by a manifest. */
export function extOfMimetype(text: string): string | undefined {
  const type = text.slice(0, 128).trim()
  return Object.hasOwn(mimetypes, type) ? mimetypes[type] : undefined
}

/** The format that the manifest of an OpenDocument or StarOffice file gives for the whole file. */
export function extOfManifest(text: string): string | undefined {
  for (const rest of text.split('<manifest:file-entry').slice(1)) {
    const tag = rest.slice(0, rest.indexOf('>'))
    if (!tag.includes('full-path="/"')) continue
    return extOfMimetype(/media-type="([^"]{1,128})"/.exec(tag)?.[1] ?? '')
  }
  return undefined
}

/** The content types of main parts; parts of embedded documents have others. */
const mainTypes: readonly (readonly [ext: string, ...types: string[]])[] = [
  ['docm', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
  ['dotx', 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml'],
  ['dotx', `${office}.wordprocessingml.template.main+xml`],
  ['docx', `${office}.wordprocessingml.document.main+xml`],
  ['xlsb', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'],
  ['xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'],
  ['xlam', 'application/vnd.ms-excel.addin.macroEnabled.main+xml'],
  ['xltx', 'application/vnd.ms-excel.template.macroEnabled.main+xml', `${office}.spreadsheetml.template.main+xml`],
  ['xlsx', `${office}.spreadsheetml.sheet.main+xml`],
  ['pptm', 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml'],
  ['ppsx', 'application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml'],
  ['ppsx', 'application/vnd.ms-powerpoint.template.macroEnabled.main+xml'],
  ['ppsx', `${office}.presentationml.slideshow.main+xml`, `${office}.presentationml.template.main+xml`],
  ['pptx', `${office}.presentationml.presentation.main+xml`],
  ['vsdm', 'application/vnd.ms-visio.drawing.macroEnabled.main+xml'],
  ['vsdm', 'application/vnd.ms-visio.template.macroEnabled.main+xml'],
  ['vsdm', 'application/vnd.ms-visio.stencil.macroEnabled.main+xml'],
  ['vsdx', 'application/vnd.ms-visio.drawing.main+xml', 'application/vnd.ms-visio.template.main+xml'],
  ['vsdx', 'application/vnd.ms-visio.stencil.main+xml'],
  ['xps', 'application/vnd.ms-package.xps-fixeddocumentsequence+xml'],
  ['xps', 'application/oxps-package.xps-fixeddocumentsequence+xml'],
  ['thmx', `${office}.themeManager+xml`],
]

/** The format according to the list of parts of a package. */
export function extOfContentTypes(text: string): string | undefined {
  return mainTypes.find(([, ...types]) => types.some((type) => text.includes(`"${type}"`)))?.[0]
}

const appleRoots: Readonly<Record<string, string>> = {
  'sl:document': 'pages',
  'ls:document': 'numbers',
  'key:presentation': 'key',
}

/** The format according to the root element of an older Apple document. */
export function extOfAppleIndex(text: string): string | undefined {
  const root = /<([a-z]{2,3}:[a-z]{1,16})[\s>]/.exec(text.slice(0, 1024))?.[1] ?? ''
  return Object.hasOwn(appleRoots, root) ? appleRoots[root] : undefined
}

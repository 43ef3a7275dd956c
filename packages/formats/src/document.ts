import { toFormats } from './format.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'
const macros = 'macroEnabled.12'

/** Paged and office documents, and books. */
export const documentFormats = toFormats('document', [
  ['pdf', 'application/pdf', 'Portable Document Format'],
  ['ps', 'application/postscript', 'PostScript document'],
  ['docx', `${office}.wordprocessingml.document`, 'Word document'],
  ['xlsx', `${office}.spreadsheetml.sheet`, 'Excel workbook'],
  ['pptx', `${office}.presentationml.presentation`, 'PowerPoint presentation'],
  ['doc', 'application/msword', 'Word 97 document'],
  ['xls', 'application/vnd.ms-excel', 'Excel 97 workbook'],
  ['ppt', 'application/vnd.ms-powerpoint', 'PowerPoint 97 presentation'],
  ['odt', `${openDocument}.text`, 'OpenDocument text'],
  ['ods', `${openDocument}.spreadsheet`, 'OpenDocument spreadsheet'],
  ['odp', `${openDocument}.presentation`, 'OpenDocument presentation'],
  ['docm', `application/vnd.ms-word.document.${macros}`, 'Word document with macros'],
  ['dotx', `${office}.wordprocessingml.template`, 'Word template'],
  ['xlsm', `application/vnd.ms-excel.sheet.${macros}`, 'Excel workbook with macros'],
  ['pptm', `application/vnd.ms-powerpoint.presentation.${macros}`, 'PowerPoint presentation with macros'],
  ['ppsx', `${office}.presentationml.slideshow`, 'PowerPoint slide show'],
  ['vsdx', 'application/vnd.ms-visio.drawing', 'Visio drawing'],
  ['odg', `${openDocument}.graphics`, 'OpenDocument drawing'],
  ['ott', `${openDocument}.text-template`, 'OpenDocument text template'],
  ['ots', `${openDocument}.spreadsheet-template`, 'OpenDocument spreadsheet template'],
  ['otp', `${openDocument}.presentation-template`, 'OpenDocument presentation template'],
  ['otg', `${openDocument}.graphics-template`, 'OpenDocument drawing template'],
  ['fodt', `${openDocument}.text-flat-xml`, 'OpenDocument text as one XML file'],
  ['fods', `${openDocument}.spreadsheet-flat-xml`, 'OpenDocument spreadsheet as one XML file'],
  ['fodp', `${openDocument}.presentation-flat-xml`, 'OpenDocument presentation as one XML file'],
  ['fodg', `${openDocument}.graphics-flat-xml`, 'OpenDocument drawing as one XML file'],
  ['epub', 'application/epub+zip', 'EPUB book'],
  ['rtf', 'application/rtf', 'Rich Text Format'],
])

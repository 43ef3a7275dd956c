import { toFormats } from './format.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Paged and office documents, and books. */
export const documentFormats = toFormats('document', [
  ['pdf', 'application/pdf', 'Portable Document Format'],
  ['docx', `${office}.wordprocessingml.document`, 'Word document'],
  ['xlsx', `${office}.spreadsheetml.sheet`, 'Excel workbook'],
  ['pptx', `${office}.presentationml.presentation`, 'PowerPoint presentation'],
  ['doc', 'application/msword', 'Word 97 document'],
  ['xls', 'application/vnd.ms-excel', 'Excel 97 workbook'],
  ['ppt', 'application/vnd.ms-powerpoint', 'PowerPoint 97 presentation'],
  ['odt', `${openDocument}.text`, 'OpenDocument text'],
  ['ods', `${openDocument}.spreadsheet`, 'OpenDocument spreadsheet'],
  ['odp', `${openDocument}.presentation`, 'OpenDocument presentation'],
  ['epub', 'application/epub+zip', 'EPUB book'],
  ['rtf', 'application/rtf', 'Rich Text Format'],
])

/** The four programs of LibreOffice. Each reads and writes its own formats. */
export type Program = 'writer' | 'calc' | 'impress' | 'draw'

/** How LibreOffice reads or writes a format. The filter is named, so that LibreOffice never guesses. */
export interface OfficeFormat {
  readonly ext: string
  readonly program: Program
  /** The filter that reads it; absent if it is only written. */
  readonly reads?: string
  /** The filter that writes it; absent if it is only read. */
  readonly writes?: string
  readonly isZip?: boolean
  /** Whether it can be password-protected, so that the option `password` is accepted. */
  readonly hasPassword?: boolean
  /** Additional options for the filter that writes it. */
  readonly writeOptions?: string
  /** Whether no other filter is tried if this one finds nothing: any file can be read as plain text. */
  readonly isExact?: boolean
  /** Whether LibreOffice shows its source text, so that a conversion to plain text would return the same file. */
  readonly isSource?: boolean
}

type Row = Omit<OfficeFormat, 'program'>

const zip = { isZip: true, hasPassword: true } as const
const ole = { hasPassword: true } as const
const both = (filter: string) => ({ reads: filter, writes: filter })

const source = { reads: 'Text', isExact: true, isSource: true } as const

const text: readonly Row[] = [
  { ext: 'docx', ...both('MS Word 2007 XML'), ...zip },
  { ext: 'docm', reads: 'MS Word 2007 XML', ...zip },
  { ext: 'dotx', reads: 'MS Word 2007 XML Template', ...zip },
  { ext: 'doc', ...both('MS Word 97'), ...ole },
  { ext: 'odt', ...both('writer8'), ...zip },
  { ext: 'ott', ...both('writer8_template'), ...zip },
  { ext: 'fodt', ...both('OpenDocument Text Flat XML') },
  { ext: 'rtf', ...both('Rich Text Format') },
  { ext: 'html', ...both('HTML (StarWriter)'), writeOptions: 'EmbedImages', isExact: true },
  // The reading filter detects the encoding without options; the writing filter must be given one.
  { ext: 'txt', reads: 'Text', writes: 'Text (encoded)', writeOptions: 'UTF8,LF,,,', isExact: true },
  { ext: 'epub', writes: 'EPUB' },
  { ext: 'dot', reads: 'MS Word 97 Vorlage', ...ole },
  { ext: 'wordxml', reads: 'MS Word 2003 XML' },
  { ext: 'wps', reads: 'MS_Works' },
  { ext: 'wpd', reads: 'WordPerfect', hasPassword: true },
  { ext: 'wri', reads: 'MS_Write' },
  { ext: 'hwp', reads: 'writer_MIZI_Hwp_97' },
  { ext: 'pages', reads: 'Apple Pages', isZip: true },
  { ext: 'sxw', reads: 'StarOffice XML (Writer)', ...zip },
  { ext: 'stw', reads: 'writer_StarOffice_XML_Writer_Template', ...zip },
  { ext: 'sdw', reads: 'StarOffice_Writer', ...ole },
  ...['xml', 'json', 'jsonl', 'yaml', 'toml', 'ics', 'vcf', 'geojson', 'kml', 'gpx', 'gml'].map((ext) => ({
    ext,
    ...source,
  })),
]

const sheets: readonly Row[] = [
  { ext: 'xlsx', ...both('Calc MS Excel 2007 XML'), ...zip },
  { ext: 'xlsm', reads: 'Calc MS Excel 2007 XML', ...zip },
  { ext: 'xls', ...both('MS Excel 97'), ...ole },
  { ext: 'ods', ...both('calc8'), ...zip },
  { ext: 'ots', ...both('calc8_template'), ...zip },
  { ext: 'fods', ...both('OpenDocument Spreadsheet Flat XML') },
  { ext: 'csv', ...both('Text - txt - csv (StarCalc)'), isExact: true },
  { ext: 'html', writes: 'HTML (StarCalc)', writeOptions: 'EmbedImages' },
  { ext: 'xlsb', reads: 'Calc MS Excel 2007 Binary', ...zip },
  { ext: 'xltx', reads: 'Calc MS Excel 2007 XML Template', ...zip },
  { ext: 'excelxml', reads: 'MS Excel 2003 XML Orcus' },
  { ext: 'numbers', reads: 'Apple Numbers', isZip: true },
  { ext: 'dif', reads: 'DIF' },
  { ext: 'dbf', reads: 'dBase' },
  { ext: 'sxc', reads: 'StarOffice XML (Calc)', ...zip },
  { ext: 'stc', reads: 'calc_StarOffice_XML_Calc_Template', ...zip },
  { ext: 'sdc', reads: 'StarOffice_Spreadsheet', ...ole },
]

const slides: readonly Row[] = [
  { ext: 'pptx', ...both('Impress MS PowerPoint 2007 XML'), ...zip },
  { ext: 'pptm', reads: 'Impress MS PowerPoint 2007 XML', ...zip },
  { ext: 'ppsx', reads: 'Impress MS PowerPoint 2007 XML AutoPlay', ...zip },
  { ext: 'ppt', ...both('MS PowerPoint 97'), ...ole },
  { ext: 'odp', ...both('impress8'), ...zip },
  { ext: 'otp', ...both('impress8_template'), ...zip },
  { ext: 'fodp', ...both('OpenDocument Presentation Flat XML') },
  { ext: 'key', reads: 'Apple Keynote', isZip: true },
  { ext: 'sxi', reads: 'StarOffice XML (Impress)', ...zip },
  // open_office_1.py rewrites these templates as documents, which is why they are read by the filter for documents.
  { ext: 'sti', reads: 'StarOffice XML (Impress)', ...zip },
  { ext: 'sdd', reads: 'StarOffice_Presentation', ...ole },
]

const drawings: readonly Row[] = [
  { ext: 'odg', ...both('draw8'), ...zip },
  { ext: 'otg', ...both('draw8_template'), ...zip },
  { ext: 'fodg', ...both('OpenDocument Drawing Flat XML') },
  { ext: 'vsdx', reads: 'Visio Document', isZip: true },
  { ext: 'emf', reads: 'EMF - MS Windows Metafile', writes: 'draw_emf_Export' },
  { ext: 'wmf', reads: 'WMF - MS Windows Metafile', writes: 'draw_wmf_Export' },
  { ext: 'dxf', reads: 'DXF - AutoCAD Interchange', isExact: true },
  { ext: 'svg', writes: 'draw_svg_Export' },
  { ext: 'vsdm', reads: 'Visio Document', isZip: true },
  { ext: 'vsd', reads: 'Visio Document' },
  { ext: 'pub', reads: 'Publisher Document' },
  { ext: 'sxd', reads: 'StarOffice XML (Draw)', ...zip },
  { ext: 'std', reads: 'StarOffice XML (Draw)', ...zip },
  { ext: 'sda', reads: 'StarOffice_Drawing', ...ole },
]

const of = (program: Program, rows: readonly Row[]) => rows.map((row): OfficeFormat => ({ program, ...row }))

/** All formats LibreOffice reads or writes here, except PDF, which all four programs write. */
export const officeFormats: readonly OfficeFormat[] = [
  ...of('writer', text),
  ...of('calc', sheets),
  ...of('impress', slides),
  ...of('draw', drawings),
]

/** The filters that export each program's documents as PDF. */
export const pdfFilters: Readonly<Record<Program, string>> = {
  writer: 'writer_pdf_Export',
  calc: 'calc_pdf_Export',
  impress: 'impress_pdf_Export',
  draw: 'draw_pdf_Export',
}

export const findReader = (ext: string) => officeFormats.find((format) => format.ext === ext && format.reads)

export const findWriter = (program: Program, ext: string) =>
  officeFormats.find((format) => format.program === program && format.ext === ext && format.writes)

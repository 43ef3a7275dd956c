import { engines } from '@lathe/engines'
import { mayTakeSteps } from '@lathe/operations'

const words = (line: string) => line.split(' ')

const texts = words('doc docm dotx dot ott fodt wordxml wps wpd wri hwp pages sxw stw sdw')
const sheets = words('xlsx xlsm xls ods ots fods xlsb xltx excelxml numbers dif dbf sxc stc sdc')
const slides = words('pptx pptm ppsx ppt odp otp fodp key sxi sti sdd')
const drawings = words('odg otg fodg vsdx vsdm vsd pub sxd std sda emf wmf dxf')
const printed = words('pdf xps djvu ps')
const mails = words('eml mbox msg mhtml')
const data = words('json jsonl yaml toml xml parquet')

/**
 * The formats that Pandoc writes, and those it reads: every text can become any of the first, and each of the second
 * can be rendered.
 */
const marked = outputsOf('pandoc', 'html').filter((to) => !['pdf', 'html', 'docx', 'odt', 'txt'].includes(to))
const read = inputsOf('pandoc', 'html').filter((from) => !['docx', 'odt', 'rtf', 'html'].includes(from))

function outputsOf(id: string, from: string): readonly string[] {
  return conversionsOf(id).flatMap((ability) => (ability.from === from ? [ability.to] : []))
}

function inputsOf(id: string, to: string): readonly string[] {
  return conversionsOf(id).flatMap((ability) => (ability.to === to ? [ability.from] : []))
}

function conversionsOf(id: string) {
  return engines.find((engine) => engine.id === id)?.abilities.filter(({ operation }) => mayTakeSteps(operation)) ?? []
}

/** Common sources and wanted targets that may take more than one step. */
export const wanted: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[] = [
  { from: texts, to: [...marked, 'webp', 'avif', 'svg'] },
  { from: words('docx odt rtf html txt'), to: words('webp avif svg doc md epub') },
  { from: printed, to: words('docx odt rtf html txt doc md rst org mediawiki epub fb2 tex webp avif') },
  { from: words('eps ai'), to: words('webp avif gif bmp heic jxl jp2 psd ico') },
  { from: mails, to: words('docx odt rtf md txt epub png jpg webp') },
  { from: read, to: words('png jpg webp avif doc') },
  { from: sheets, to: [...data, 'tsv', ...words('md rst org tex typ mediawiki docbook jira webp avif svg')] },
  { from: data, to: words('xlsx ods xls') },
  { from: words('ics vcf'), to: words('xlsx ods yaml xml') },
  { from: slides, to: words('webp avif svg docx txt md') },
  { from: drawings, to: words('webp avif gif tiff svg') },
  { from: ['dcm'], to: words('webp avif gif pdf heic jxl jp2 psd tga ico') },
]

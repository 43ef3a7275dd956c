import { median } from '../median.ts'
import { type Accepted, findAccepted } from './accepted.ts'
import { kindOf } from './collect-files.ts'
import type { Measured } from './limits/largest.ts'
import { renderLimits } from './limits/render-limits.ts'
import type { Result } from './result.ts'
import { type Disagreement, explain } from './second-opinion.ts'

/** Facts about the files other than their conversions. */
export interface About {
  readonly collections: readonly string[]
  /** The total number of files, of which a run may take a sample. */
  readonly total: number
  /** The largest values of all files. */
  readonly measured: Measured
  readonly disagreements: readonly Disagreement[]
}

/**
 * The page about real files: what was tried, the results compared with the plain tools, and why some files are refused.
 */
export function renderReport(
  results: readonly Result[],
  { collections, total, measured, disagreements }: About,
): string {
  const converted = results.filter(({ ours }) => ours.end === 'converted').length
  const judged = results.map((result) => ({ result, accepted: findAccepted(result) }))
  const worse = judged.filter(({ result, accepted }) => result.verdict === 'worse' && accepted === undefined)
  const allowed = judged.flatMap(({ result, accepted }) =>
    accepted && result.verdict === 'worse' ? [{ result, accepted }] : [],
  )
  return `${[
    '# Real files',
    `What Lathe does with files that other people made, next to the bare command-line tools of the same engine root. \`npm run corpus\` writes this page.`,
    `${results.length} conversions of ${new Set(results.map(({ file }) => file)).size} of the ${total} files of ${collections.join(', ')}: ${converted} converted, ${worse.length} worse than bare.`,
    getting,
    '## By format',
    'Worse: the bare tool succeeds and Lathe does not, or pages, words, streams or pixels are missing from its result. Better: Lathe succeeds and the bare tool does not. Time: the median of Lathe’s time divided by the bare tool’s, while two files were converted at a time. [real-file-times.md](real-file-times.md) has times on an idle machine.',
    formatTable(results),
    '## Words',
    wordSummary(results),
    '## Slow files',
    slowFiles(results),
    '## Worse than bare',
    worse.length === 0 ? 'None.' : worse.map(({ result }) => worseLine(result)).join('\n'),
    '## Different for a reason',
    allowed.length === 0 ? 'None.' : acceptedTable(allowed),
    '## Second opinion',
    'Files of which `file --mime-type` thinks otherwise than Lathe, and who is right.',
    disagreements.length === 0 ? 'None.' : disagreementTable(disagreements),
    '## Limits',
    `How close the largest of the ${total} files, and of what became of them, comes to each limit ([what happens beyond it](limits.md)). A ratio counts only for archives above the size from which it is limited. Files that neither Lathe nor the bare tool could convert count only in the last column: it names files that are beyond a limit, or whose headers claim it, as files made to test programs do.`,
    renderLimits(measured),
    '## Why files were not converted',
    refusalTable(results),
  ].join('\n\n')}\n`
}

const getting = `## Get the files

The collections are the test files of other projects. They are not part of Lathe and have their own licenses. Clone the repositories, copy the named directories into one directory each, and pass these to the command:

| collection | repository | directory | license |
|---|---|---|---|
| tika | apache/tika | \`*/test-documents/\` | Apache-2.0 |
| poi | apache/poi | \`test-data/\` | Apache-2.0 |
| pdfjs | mozilla/pdf.js | \`test/pdfs/\` | Apache-2.0; some files differ |
| pillow | python-pillow/Pillow | \`Tests/images/\` | MIT-CMU; some files differ |
| pandoc | jgm/pandoc | \`test/\` | GPL-2.0-or-later |
| sharp | lovell/sharp | \`test/fixtures/\` | Apache-2.0 |
| avif | AOMediaCodec/av1-avif | \`testFiles/\` | by directory |
| exif | ianare/exif-samples | all | MIT |
| exiftool | exiftool/exiftool | \`t/images/\` | same terms as Perl |
| mutagen | quodlibet/mutagen | \`tests/data/\` | GPL-2.0-or-later |
| taglib | taglib/taglib | \`tests/data/\` | LGPL-2.1 or MPL-1.1 |

\`\`\`text
npm run corpus -- --dir tika --dir poi
npm run corpus -- --dir tika --only=docx,m4a
npm run corpus -- --dir tika --sample=150 --seed=1
npm run corpus -- --dir tika --resume
npm run corpus -- --dir tika --sample=50 --repeat=10
npm run corpus -- --dir tika --times
\`\`\``

function formatTable(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ ext, to }) => `${kindOf(ext)} → ${to}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pair, own]) => {
      const count = (is: (result: Result) => boolean) => own.filter(is).length
      const worse = count((one) => one.verdict === 'worse' && findAccepted(one) === undefined)
      const cells = [
        own.length,
        count(({ ours }) => ours.end === 'converted'),
        count(({ ours, verdict }) => ours.end !== 'converted' && verdict !== 'not offered'),
        count(({ verdict }) => verdict === 'not offered'),
        worse,
        count(({ verdict }) => verdict === 'better'),
        timeRatio(own) ?? '',
      ]
      return `| ${pair} | ${cells.join(' | ')} |`
    })
  return [
    '| conversion | tried | converted | refused | not offered | worse | better | time |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** The median ratio of our time to the plain tool's. */
function timeRatio(results: readonly Result[]): string | undefined {
  const ratios = results.flatMap(({ ours, bare, isTimed }) => {
    return isTimed && bare && ours.end === 'converted' && bare.end === 'converted'
      ? [ours.ms / Math.max(bare.ms, 1)]
      : []
  })
  return ratios.length === 0 ? undefined : `${median(ratios).toFixed(2)} (${ratios.length})`
}

/** Files for which the plain tool takes more than two seconds, and the service more than three times that. */
function slowFiles(results: readonly Result[]): string {
  const slow = results.filter(({ ours, bare, isTimed }) => {
    return isTimed && bare?.end === 'converted' && ours.ms > 2000 && ours.ms > 3 * bare.ms
  })
  if (slow.length === 0)
    return 'No file that takes more than 2 s takes more than three times as long as with the bare tool.'
  const rows = slow.map(({ file, to, ours, bare }) => `| ${file} | ${to} | ${ours.ms} | ${bare?.ms} |`)
  return ['| file | to | ms | bare, ms |', '|---|---|---|---|', ...rows].join('\n')
}

function wordSummary(results: readonly Result[]): string {
  const shares = results.flatMap(({ words }) => (words === undefined ? [] : [words]))
  if (shares.length === 0) return 'No result had words to compare.'
  const below = shares.filter((share) => share < 0.95).length
  return `Of ${shares.length} results with words, the median has ${(median(shares) * 100).toFixed(1)} % of the words of the bare tool’s result; ${below} have fewer than 95 %.`
}

function worseLine({ file, to, why }: Result): string {
  return `- ${file} → ${to}: ${inLine(why ?? '')}`
}

function acceptedTable(rows: readonly { result: Result; accepted: Accepted }[]): string {
  const lines = rows.map(
    ({ result, accepted }) => `| ${result.file} | ${result.to} | ${accepted.reason} | ${inLine(accepted.why)} |`,
  )
  return ['| file | to | reason | why |', '|---|---|---|---|', ...lines].join('\n')
}

function disagreementTable(disagreements: readonly Disagreement[]): string {
  const rows = disagreements.map((one) => `| ${one.file} | ${one.ours} | ${one.theirs} | ${inLine(explain(one))} |`)
  return ['| file | Lathe | `file` | why |', '|---|---|---|---|', ...rows].join('\n')
}

function refusalTable(results: readonly Result[]): string {
  const refused = results.filter(({ ours }) => ours.end !== 'converted')
  const rows = [...Map.groupBy(refused, ({ ours }) => ours.end)].map(([end, own]) => {
    return `| ${end} | ${own.length} | ${inLine(own[0]?.ours.text ?? '')} |`
  })
  return ['| reason | conversions | what the user reads, for example |', '|---|---|---|', ...rows].join('\n')
}

// Engine output and file names may contain anything; a table cell holds one plain line.
function inLine(text: string): string {
  return text
    .replaceAll(/[\s|<>]+/g, ' ')
    .trim()
    .slice(0, 300)
}

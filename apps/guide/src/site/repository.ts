import { readdirSync, readFileSync } from 'node:fs'
import { type PageEntry, sections } from './sections.ts'

// The build bundles this file into another folder, so the root is the working directory of the build.
const root = `${process.cwd()}/`

/** A page as Markdown. */
export interface Page {
  readonly slug: string
  readonly title: string
  readonly description: string | undefined
  /** Its text without the title. */
  readonly body: string
  /** The file it comes from, relative to the root of the repository. */
  readonly file: string
}

/** The pages of whole folders: one per alert and one per decision. The page of their group links to them. */
const folders = ['runbooks', 'decisions'].flatMap((folder) =>
  readdirSync(`${root}docs/${folder}`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ slug: `${folder}/${name.slice(0, -3).toLowerCase()}`, source: `docs/${folder}/${name}` })),
)

const listed: readonly PageEntry[] = sections.flatMap(({ pages }) => pages)

/** The pages that are files of the repository, by file. */
export const slugsByFile: ReadonlyMap<string, string> = new Map(
  [...listed, ...folders].flatMap(({ slug, source }) => (source === undefined ? [] : [[source, slug] as const])),
)

/** Reads the pages that are files of the repository. */
export function readRepositoryPages(): readonly Page[] {
  return [...slugsByFile].map(([file, slug]) => ({ slug, file, ...splitTitle(file, read(file)) }))
}

/** The text of a file of the repository. */
export function read(file: string): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

/** The URL of a file in the repository. */
export function urlOf(file: string): URL {
  return new URL(`file://${root}${file}`)
}

/** Splits the heading of a page from its text. */
export function splitTitle(file: string, text: string): Pick<Page, 'title' | 'description' | 'body'> {
  const [, title, body] = /^# (.+)\n+([\s\S]*)$/.exec(text) ?? []
  if (title === undefined || body === undefined) throw new Error(`${file} has no heading in its first line`)
  return { title: title.replaceAll('`', ''), description: undefined, body }
}

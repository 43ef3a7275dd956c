import type { MetadataOptions } from './options.ts'

/** The changes that a request asks for. */
export interface Changes {
  readonly remove: 'none' | 'private' | 'all'
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly copyright?: string
  readonly keywords: readonly string[]
  readonly date?: DateTaken
}

/** A date as given. Without a zone, it is local time. */
export interface DateTaken {
  /** `2024:05:31 14:30:00`, the EXIF format. */
  readonly local: string
  /** `+02:00`, if known. */
  readonly zone?: string
  /** The same moment in UTC, in EXIF format. */
  readonly utc: string
  /** `2024-05-31T14:30:00+02:00`. */
  readonly iso: string
}

/** The text options of a request. */
export const textNames = ['title', 'author', 'description', 'copyright'] as const

/** Reads the options for writing; undefined if there is nothing to change. */
export function readChanges(options: MetadataOptions): Changes | undefined {
  const texts = textNames.flatMap((name) => {
    const text = options[name]?.trim() ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const keywords = (options.keywords ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const date = options.date === undefined ? undefined : readDate(options.date)
  const { remove = 'none' } = options
  if (texts.length === 0 && keywords.length === 0 && date === undefined && remove === 'none') return undefined
  return { remove, ...Object.fromEntries(texts), keywords, ...(date && { date }) }
}

function readDate(text: string): DateTaken {
  const [, day = '', time = '00:00', seconds = ':00', zone] =
    /^([\d-]{10})(?:T(\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const clock = `${time}${seconds}`
  const offset = zone === 'Z' ? '+00:00' : zone
  // Days beyond the end of a month continue in the next month.
  const moment = new Date(`${day}T${clock}${offset ?? '+00:00'}`)
  const utc = Number.isNaN(moment.getTime()) ? `${day}T${clock}` : moment.toISOString().slice(0, 19)
  return {
    local: `${day.replaceAll('-', ':')} ${clock}`,
    ...(offset && { zone: offset }),
    utc: utc.replaceAll('-', ':').replace('T', ' '),
    iso: `${day}T${clock}${offset ?? ''}`,
  }
}

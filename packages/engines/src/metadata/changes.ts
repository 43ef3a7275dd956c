import type { MetadataOptions } from './options.ts'

/** What a request wants to change, read once. */
export interface Changes {
  readonly remove: 'none' | 'private' | 'all'
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly copyright?: string
  readonly keywords: readonly string[]
  readonly date?: DateTaken
}

/** A date as it was given. Without a zone it is the time of the place. */
export interface DateTaken {
  /** `2024:05:31 14:30:00`, as EXIF writes it. */
  readonly local: string
  /** `+02:00`, if known. */
  readonly zone?: string
  /** The same moment in UTC, as EXIF writes it. */
  readonly utc: string
  /** `2024-05-31T14:30:00+02:00`. */
  readonly iso: string
}

/** The texts of a request, as its options name them. */
export const textNames = ['title', 'author', 'description', 'copyright'] as const

/** Reads the options of writing; undefined where nothing is to change. */
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
  // Days that a month does not have move on to the next one, as calendars count.
  const moment = new Date(`${day}T${clock}${offset ?? '+00:00'}`)
  const utc = Number.isNaN(moment.getTime()) ? `${day}T${clock}` : moment.toISOString().slice(0, 19)
  return {
    local: `${day.replaceAll('-', ':')} ${clock}`,
    ...(offset && { zone: offset }),
    utc: utc.replaceAll('-', ':').replace('T', ' '),
    iso: `${day}T${clock}${offset ?? ''}`,
  }
}

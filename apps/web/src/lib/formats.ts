import { useTranslation } from 'react-i18next'

/** Formats numbers, sizes and times in a language. */
export interface Formats {
  bytes(value: number): string
  percent(share: number): string
  duration(seconds: number): string
  relative(moment: Date, now?: Date): string
  exact(moment: Date): string
  count(value: number): string
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Creates the formats of a language. Sizes use powers of 1000, as operating systems show them. */
export function createFormats(language: string): Formats {
  const units = byteUnits.map((unit) => {
    const shown = { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short' } as const
    return [0, 1].map((digits) => new Intl.NumberFormat(language, { ...shown, maximumFractionDigits: digits }))
  })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const duration = (['second', 'minute', 'hour'] as const).map(
    (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 }),
  )
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
  const count = new Intl.NumberFormat(language)
  return {
    bytes(value) {
      const step = value < 1000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(value) / 3))
      const amount = value / 1000 ** step
      return units[step]?.[step === 0 || amount >= 100 ? 0 : 1]?.format(amount) ?? String(value)
    },
    percent: (share) => percent.format(share),
    duration(seconds) {
      const step = seconds < 90 ? 0 : seconds < 5400 ? 1 : 2
      return duration[step]?.format(Math.max(1, Math.round(seconds / 60 ** step))) ?? String(seconds)
    },
    relative(moment, now = new Date()) {
      const seconds = (moment.getTime() - now.getTime()) / 1000
      const size = Math.abs(seconds)
      if (size < 60) return relative.format(Math.round(seconds), 'second')
      if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute')
      if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour')
      return relative.format(Math.round(seconds / 86_400), 'day')
    },
    exact: (moment) => exact.format(moment),
    count: (value) => count.format(value),
  }
}

// Cached, because they are slow to create and every row of a list uses them.
const made = new Map<string, Formats>()

function formatsOf(language: string): Formats {
  const known = made.get(language) ?? createFormats(language)
  made.set(language, known)
  return known
}

/** The formats of the current language. */
export function useFormats(): Formats {
  const { i18n } = useTranslation()
  return formatsOf(i18n.language)
}

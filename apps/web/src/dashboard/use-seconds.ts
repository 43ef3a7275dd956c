import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../lib/formats.ts'

/** Formats a duration with a suitable precision. */
export function useSeconds(): (value: number) => string {
  const { i18n } = useTranslation()
  const { duration } = useFormats()
  return useMemo(() => {
    const shown = { style: 'unit', unit: 'second', unitDisplay: 'short' } as const
    const formats = [0, 1, 2].map(
      (digits) => new Intl.NumberFormat(i18n.language, { ...shown, maximumFractionDigits: digits }),
    )
    return (value) =>
      value >= 90 ? duration(value) : (formats[value >= 20 ? 0 : value >= 2 ? 1 : 2]?.format(value) ?? String(value))
  }, [i18n.language, duration])
}

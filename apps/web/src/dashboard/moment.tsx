import { useEffect, useState } from 'react'
import { useFormats } from '../lib/formats.ts'

/** The current time, which rerenders the component at an interval. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A time relative to now; the exact time is its title. */
export function Moment({ at }: { readonly at: string }) {
  const formats = useFormats()
  const now = useNow(10_000)
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formats.exact(moment)} className="num whitespace-nowrap">
      {formats.relative(moment, moment > now && moment.getTime() - now.getTime() < 5000 ? moment : now)}
    </time>
  )
}

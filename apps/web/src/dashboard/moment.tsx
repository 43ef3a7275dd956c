import { useEffect, useState } from 'react'
import { useFormats } from '../lib/formats.ts'

/** The time that goes on: every so often the component is drawn again. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** When something was, as seen from now; the exact time is its title. */
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

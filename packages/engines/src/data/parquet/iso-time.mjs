// @ts-check

const daySeconds = 86_400n

/** @param {number | bigint} value @param {number} digits */
const padded = (value, digits) => String(value).padStart(digits, '0')

/**
 * A day of the proleptic Gregorian calendar, in eras of 400 years that begin on the first of March. Dates of JavaScript
 * end in the year 275760, those of Parquet do not.
 * @param {bigint} days since 1970-01-01
 */
export function isoDate(days) {
  const shifted = days + 719_468n
  const era = (shifted >= 0n ? shifted : shifted - 146_096n) / 146_097n
  const day = Number(shifted - era * 146_097n)
  const yearOfEra = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  )
  const dayOfYear = day - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = era * 400n + BigInt(yearOfEra) + (month <= 2 ? 1n : 0n)
  const dayOfMonth = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  return `${isoYear(year)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`
}

// ISO 8601 wants a sign and more digits for years that four do not hold.
/** @param {bigint} year */
function isoYear(year) {
  if (year >= 0n && year <= 9999n) return padded(year, 4)
  return `${year < 0n ? '-' : '+'}${padded(year < 0n ? -year : year, 6)}`
}

/** @param {bigint} value @param {bigint} perSecond */
export function isoTime(value, perSecond) {
  const [seconds, rest] = [value / perSecond, value % perSecond]
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => padded(part, 2)).join(':')
  if (rest === 0n) return clock
  let [fraction, digits] = [rest, String(perSecond).length - 1]
  while (fraction % 10n === 0n) {
    fraction /= 10n
    digits -= 1
  }
  return `${clock}.${padded(fraction, digits)}`
}

/** @param {bigint} value since 1970, in units of which a second has `perSecond` @param {bigint} perSecond */
export function isoTimestamp(value, perSecond) {
  const perDay = daySeconds * perSecond
  const days = (value >= 0n ? value : value - perDay + 1n) / perDay
  return `${isoDate(days)}T${isoTime(value - days * perDay, perSecond)}`
}

/** A duration of months, days and milliseconds, which do not add up. @param {Uint8Array} bytes */
export function isoInterval(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(at, true))
  return `P${months}M${days}DT${Number(millis) / 1000}S`
}

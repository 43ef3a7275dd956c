/** The rate in a list that is closest to `wanted`. */
export function nearestRate(rates: readonly string[], wanted: number): string {
  return rates.reduce((best, rate) => (Math.abs(value(rate) - wanted) < Math.abs(value(best) - wanted) ? rate : best))
}

/**
 * A rate as an argument. Rates such as 29.97 become the fractions they stand for, or audio and video would drift apart.
 */
export function exactRate(fps: number): string {
  const whole = Math.round((fps * 1001) / 1000)
  const isBroadcast = !Number.isInteger(fps) && Math.abs((whole * 1000) / 1001 - fps) < 0.005
  return isBroadcast ? `${whole * 1000}/1001` : String(Number(fps.toFixed(3)))
}

function value(rate: string): number {
  const [top, bottom = '1'] = rate.split('/')
  return Number(top) / Number(bottom)
}

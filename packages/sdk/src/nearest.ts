// Of equally similar words, such as `pdf` and `pdb` for `pdx`, these are meant.
const common = 'pdf docx xlsx pptx jpg png webp mp4 mp3 txt html csv zip gif svg heic mov wav epub'.split(' ')
const swapCost = 0.5

/** The known word that is most similar to an unknown one, if any is similar. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly distance: number; readonly rank: number } | undefined
  for (const one of known) {
    const distance = distanceOf(word, one)
    const rank = common.includes(one) ? common.indexOf(one) : common.length
    const isSimilar = distance <= Math.max(1, Math.floor(one.length / 3))
    const isBetter = !best || distance < best.distance || (distance === best.distance && rank < best.rank)
    if (isSimilar && isBetter) best = { word: one, distance, rank }
  }
  return best?.word
}

/** "Did you mean ...?", or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

/** How many letters must be changed, added or removed. Two swapped neighbors are the most likely mistake, and count less. */
function distanceOf(a: string, b: string): number {
  let before: readonly number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(isSwap ? Math.min(least, (before[j - 2] ?? 0) + swapCost) : least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

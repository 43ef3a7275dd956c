import i18next from 'i18next'

// The service accepts 1000 characters; lists show fewer.
const longest = 200

/** The tag of a job of the page: the names of its files, as the list of jobs shows it. None without files. */
export function nameJob(names: readonly string[], target?: string): { readonly tag?: string } {
  const [first, ...others] = names.map(toOneLine)
  if (first === undefined) return {}
  const t = i18next.getFixedT(null, 'list')
  const files = others.length === 0 ? first : t('job.files', { name: first, count: others.length })
  return { tag: target === undefined ? files : `${files} → ${target}` }
}

/** The tag of a job with the results that a link shares. */
export function nameShare(names: readonly string[]): { readonly tag?: string } {
  const { tag: files } = nameJob(names)
  const t = i18next.getFixedT(null, 'list')
  return files === undefined ? {} : { tag: t('job.share', { files }) }
}

function toOneLine(name: string): string {
  const characters = Array.from(name.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '))
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('')
}

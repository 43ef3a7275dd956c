import type { Attack } from '../support/attack.ts'
import { documentAttacks } from './documents.ts'
import { magickAttacks } from './magick.ts'
import { markupAttacks } from './markup.ts'
import { mediaAttacks } from './media.ts'
import { pdfAttacks } from './pdf.ts'
import { pictureAttacks } from './pictures.ts'

const all = [...pictureAttacks, ...magickAttacks, ...mediaAttacks, ...documentAttacks, ...markupAttacks, ...pdfAttacks]

/** The variants of an attack that another service of this kind was vulnerable to. */
function fellTo(incident: string, title: string, { id, only }: { id: string; only: RegExp }): Attack {
  const attack = all.find((one) => one.id === id)
  if (!attack) throw new Error(`there is no attack ${id}`)
  return {
    ...attack,
    id: incident,
    title,
    variants: async (bait, bench) => (await attack.variants(bait, bench)).filter(({ what }) => only.test(what)),
  }
}

/**
 * Attacks that other services were vulnerable to, each under its own name. Incidents with names and options are in
 * requests.test.ts.
 */
export const peerAttacks: readonly Attack[] = [
  fellTo('Gotenberg CVE-2026-55229', 'an external picture of a Word document is not fetched', {
    id: 'A07',
    only: /^DOCX with a(n attached| linked)/,
  }),
  fellTo('Gotenberg CVE-2026-40281, CVE-2026-40893, CVE-2026-42589', 'line breaks in names reach no tool', {
    id: 'A11',
    only: /\\n|\|/,
  }),
  fellTo(
    'Stirling-PDF CVE-2024-55082, CVE-2025-55150, CVE-2025-55151, CVE-2025-55161',
    'a page reads no file and asks no host',
    {
      id: 'A07',
      only: /^HTML with/,
    },
  ),
  fellTo('ConvertX CVE-2026-108694', 'Pandoc includes no file', { id: 'A09', only: /^(rst|org|tex) that includes/ }),
  fellTo('ConvertX CVE-2026-105080', 'a recipe is not run', { id: 'A10', only: /^a recipe/ }),
  fellTo('GitLab CVE-2021-22205', 'DjVu annotations named as a photograph run nothing', { id: 'A11', only: /^DjVu/ }),
  fellTo('ImageMagick CVE-2022-44268', 'a text chunk brings no file into a picture', { id: 'A02', only: /^a profile/ }),
]

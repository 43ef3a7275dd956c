import { archives } from './archives.ts'
import { booksAndMail } from './books-and-mail.ts'
import { data } from './data.ts'
import { documents } from './documents.ts'
import { engines } from './engines.ts'
import { images } from './images.ts'
import type { LimitGroup } from './limit.ts'
import { maps } from './maps.ts'
import { metadata } from './metadata.ts'
import { recordings } from './recordings.ts'
import { requests } from './requests.ts'
import { webPages } from './web-pages.ts'
import { webhooks } from './webhooks.ts'

/** Every limit of docs/limits.md in the page's order. */
export const allLimits: readonly LimitGroup[] = [
  images,
  documents,
  booksAndMail,
  data,
  maps,
  recordings,
  archives,
  metadata,
  webPages,
  requests,
  webhooks,
  engines,
]

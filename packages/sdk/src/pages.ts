import type { CallOptions, Transport } from './transport.ts'

/** One page of a list, as the API returns it. */
interface Page<T> {
  readonly docs: readonly T[]
  readonly nextCursor: string | null
}

type Filters = Readonly<Record<string, string | number | boolean | undefined>>

/** All items of a list, newest first; pages are fetched as they are needed. */
export async function* listAll<T>(
  transport: Transport,
  path: string,
  filters: Filters = {},
  options: CallOptions = {},
): AsyncGenerator<T> {
  for (let after: string | null | undefined; after !== null; ) {
    const query = { per_page: 200, ...filters, ...(after !== undefined && { after }) }
    const page: Page<T> = await transport.json(path, { query, ...options })
    yield* page.docs
    after = page.nextCursor
  }
}

import { QueryClient } from '@tanstack/react-query'

/** What was asked of the API. Calls repeat themselves where that helps, so nothing is repeated here. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

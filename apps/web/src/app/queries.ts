import { QueryClient } from '@tanstack/react-query'

/** The cache of API queries. Calls retry by themselves where that helps, so queries do not. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

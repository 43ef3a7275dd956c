/** The folder of this checkout, with a trailing slash. */
export const root = new URL('../../../', import.meta.url).pathname

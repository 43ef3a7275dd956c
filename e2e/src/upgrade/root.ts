/** The folder of this checkout, with a slash at its end. */
export const root = new URL('../../../', import.meta.url).pathname

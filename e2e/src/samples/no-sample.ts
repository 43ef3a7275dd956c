/** Formats that are read but that nothing here can make a sample of, and why. The matrix leaves their pairs out by name. */
export const noSample: Readonly<Record<string, string>> = {}

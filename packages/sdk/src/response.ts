/** The result of a call; `withResponse()` also returns its HTTP response, such as for headers. Its body has been read. */
export type Answer<T> = Promise<T> & {
  withResponse(): Promise<{ readonly data: T; readonly response: Response }>
}

/** Makes an answer of a call that reports its response. */
export function toAnswer<T>(run: (onResponse: (response: Response) => void) => Promise<T>): Answer<T> {
  let last: Response | undefined
  const data = run((response) => {
    last = response
  })
  return Object.assign(data, {
    withResponse: async () => ({ data: await data, response: last as Response }),
  })
}

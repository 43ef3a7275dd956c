// Enough to recognize a name, but too short to make an answer large.
const longestShown = 64

/** Joins a path and a field's name: `tasks.a` and `input` give `tasks.a.input`. */
export function join(path: string, name: string): string {
  return path === '' ? shorten(name) : `${path}.${shorten(name)}`
}

/** Shortens a client's text for use in a message. */
export function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown).toWellFormed()}…`
}

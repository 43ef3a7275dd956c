// Enough to recognise a name by, too little to make an answer large.
const longestShown = 64

/** Joins a field's name to where it stands: `tasks.a` and `input` give `tasks.a.input`. */
export function join(path: string, name: string): string {
  return path === '' ? shorten(name) : `${path}.${shorten(name)}`
}

/** Cuts a text that a stranger chose to a length fit for a message. */
export function shorten(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown).toWellFormed()}…`
}

/** The default style of a page. */
export const pageCss = `
html { overflow-wrap: break-word; }
body { font-family: "Noto Serif", "Liberation Serif", serif; line-height: 1.45; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; break-after: avoid; }
img, svg { max-width: 100%; max-height: 95vh; }
img { height: auto; object-fit: contain; }
pre, code, kbd, samp, tt { font-family: "Noto Sans Mono", "Liberation Mono", monospace; font-size: 0.9em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; padding: 0.6em 0.8em; }
blockquote { margin: 1em 0 1em 1.5em; padding-left: 0.8em; border-left: 3px solid #ddd; color: #444; }
table { border-collapse: collapse; max-width: 100%; }
th, td { padding: 0.25em 0.6em; border: 1px solid #ccc; vertical-align: top; }
tr, img, figure { break-inside: avoid; }
a { color: #0b57a4; }
.lathe-chapter + .lathe-chapter { break-before: page; }
.lathe-cover { text-align: center; }
.lathe-title, .lathe-author, header > .lathe-date { text-align: center; }
.lathe-note { font-size: 0.75em; vertical-align: super; }
.lathe-poem, .lathe-epigraph { margin: 1em 2em; }
.lathe-epigraph { border: 0; font-style: italic; }
.lathe-stanza { margin: 1em 0; }
.lathe-v { margin: 0; }
.lathe-text-author { text-align: right; font-style: italic; }
.lathe-contents { break-after: page; }
.lathe-contents ul { list-style: none; padding-left: 1.2em; }
ul.task-list { list-style: none; padding-left: 1em; }
`

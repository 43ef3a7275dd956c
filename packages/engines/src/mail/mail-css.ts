/** The style of a message: a header like in a mail program, and the body with its own style. */
export const mailCss = `
html { overflow-wrap: break-word; }
body { font-family: "Carlito", "Noto Sans", "Liberation Sans", sans-serif; font-size: 11pt; line-height: 1.35; }
.lathe-mail + .lathe-mail { break-before: page; }
.lathe-mail > h1 { font-size: 15pt; margin: 0 0 6pt; }
.lathe-headers { border-collapse: collapse; width: 100%; font-size: 10pt; border-bottom: 1px solid #999; margin-bottom: 12pt; }
.lathe-headers th { text-align: left; vertical-align: top; padding: 1pt 10pt 1pt 0; color: #555; width: 1%; white-space: nowrap; }
.lathe-headers td { padding: 1pt 0; }
.lathe-headers tr:last-child > * { padding-bottom: 6pt; }
.lathe-text { white-space: pre-wrap; font-family: "Noto Sans Mono", "Liberation Mono", "Noto Sans", monospace; font-size: 9.5pt; }
.lathe-quote { color: #47618f; }
.lathe-attachments { border-top: 1px solid #999; margin-top: 14pt; font-size: 10pt; break-inside: avoid; }
.lathe-attachments p { font-weight: bold; color: #555; margin: 6pt 0 2pt; }
.lathe-attachments ul { margin: 0; padding-left: 16pt; }
.lathe-body img { max-width: 100%; }
.lathe-body table { max-width: 100%; }
`

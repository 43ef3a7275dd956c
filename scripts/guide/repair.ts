/** Makes a page pass the checks of accessibility that its theme does not. */
export function repairPage(html: string): string {
  return (
    html
      // What scrolls can be reached by keyboard.
      .replaceAll('<table>', '<table tabindex="0">')
      .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
      // The name of the search button is its label; keys inside would belong to it. `aria-keyshortcuts` announces them.
      .replaceAll(/<kbd[^>]* md:sl-flex[\s\S]*?<\/kbd>\s*<\/kbd>/g, '')
  )
}

/** The same for what scripts add to pages. */
export function repairScript(script: string): string {
  return (
    script
      // Code that scrolls can be focused, but is no landmark: a page has dozens, all without a name.
      .replaceAll(',e.setAttribute("role","region")', '')
      // The field of the search has a label, not only a tooltip.
      .replaceAll(/`title`,(?=\w+=\w+\[\d+\]\(`placeholder`)/g, '`aria-label`,')
  )
}

/** Fixes the accessibility problems that the theme leaves in a page. */
export function repairPage(html: string): string {
  return (
    html
      // Scrollable elements must be reachable by keyboard.
      .replaceAll('<table>', '<table tabindex="0">')
      .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
      // The search button is named by its label; keys inside it would become part of the name. `aria-keyshortcuts`
      // announces them.
      .replaceAll(/<kbd[^>]* md:sl-flex[\s\S]*?<\/kbd>\s*<\/kbd>/g, '')
  )
}

/** Applies the same fixes to HTML that scripts add to pages. */
export function repairScript(script: string): string {
  return (
    script
      // Scrollable code is focusable but not a landmark: a page has dozens, all without a name.
      .replaceAll(',e.setAttribute("role","region")', '')
      // The search field needs a label, not only a tooltip.
      .replaceAll(/`title`,(?=\w+=\w+\[\d+\]\(`placeholder`)/g, '`aria-label`,')
  )
}

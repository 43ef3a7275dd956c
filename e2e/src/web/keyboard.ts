import type { Page } from 'playwright-core'

/** A page used by keyboard only: what Tab does not reach is not available. */
export interface Keyboard {
  /** Presses Tab until an element with this name has the focus. */
  tabTo(name: string | RegExp): Promise<void>
  /** Moves to an element and presses a key on it: Enter by default. */
  press(name: string | RegExp, key?: string): Promise<void>
  /** Moves to a field and types. */
  type(name: string | RegExp, text: string): Promise<void>
}

const mostSteps = 80

// The name of the focused element: its label, or its content.
const focusedName = `(() => {
  const { activeElement: it } = document
  const labelledBy = document.getElementById(it.getAttribute('aria-labelledby'))
  const label = labelledBy ?? it.labels?.[0] ?? it
  const named = it.getAttribute('aria-label') ?? label.textContent
  return (named ?? '').trim()
})()`

export function createKeyboard(page: Page): Keyboard {
  async function isAt(name: string | RegExp): Promise<boolean> {
    const label = String(await page.evaluate(focusedName))
    return typeof name === 'string' ? label === name : name.test(label)
  }
  async function tabTo(name: string | RegExp): Promise<void> {
    // A newly opened element may have taken the focus itself.
    if (await isAt(name)) return
    for (let n = 0; n < mostSteps; n += 1) {
      await page.keyboard.press('Tab')
      if (await isAt(name)) return
    }
    throw new Error(`${name} cannot be reached by Tab`)
  }
  return {
    tabTo,
    async press(name, key = 'Enter') {
      await tabTo(name)
      await page.keyboard.press(key)
    },
    async type(name, text) {
      await tabTo(name)
      await page.keyboard.type(text)
    },
  }
}

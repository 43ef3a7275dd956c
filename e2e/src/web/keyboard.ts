import type { Page } from 'playwright-core'

/** A page as somebody uses it who has no pointer: what Tab does not reach is not there. */
export interface Keyboard {
  /** Presses Tab until something of this name has the focus. */
  tabTo(name: string | RegExp): Promise<void>
  /** Goes to something and presses a key on it: Enter if none is named. */
  press(name: string | RegExp, key?: string): Promise<void>
  /** Goes to a field and types. */
  type(name: string | RegExp, text: string): Promise<void>
}

const mostSteps = 80

// How the focused element is called: by its label, or by what is in it.
const focusedName = `(() => {
  const { activeElement: it } = document
  const named = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent
  return (named ?? '').trim()
})()`

export function createKeyboard(page: Page): Keyboard {
  async function isAt(name: string | RegExp): Promise<boolean> {
    const label = String(await page.evaluate(focusedName))
    return typeof name === 'string' ? label === name : name.test(label)
  }
  async function tabTo(name: string | RegExp): Promise<void> {
    // What has just opened may have taken the focus itself.
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

import { createStore } from '../lib/store.ts'

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const place = 'lathe.theme'
const { theme: kept } = document.documentElement.dataset

/** The chosen color theme; `public/appearance.js` applies it before the first paint. */
export const themeStore = createStore<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system')

export function chooseTheme(theme: Theme): void {
  themeStore.set(theme)
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(place)
    else localStorage.setItem(place, theme)
  } catch {
    // Without storage, the choice is not remembered.
  }
}

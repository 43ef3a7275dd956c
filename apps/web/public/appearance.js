// Runs before the first paint, so that no page flashes in the wrong colours or direction.
;(() => {
  const page = document.documentElement
  try {
    const theme = localStorage.getItem('lathe.theme')
    if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
    const language = localStorage.getItem('lathe.language')
    if (language) {
      page.lang = language
      page.dir = language === 'ar' ? 'rtl' : 'ltr'
    }
  } catch {
    // Without storage the page follows the system.
  }
})()

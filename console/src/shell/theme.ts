// Light, dark, or as the system says until somebody chooses. Mantine keeps the choice under this key; the first script of the
// page reads it before Mantine is there.
export const themeKey = 'atrium-theme'

export type Theme = 'light' | 'dark' | 'auto'

export function applyTheme(): void {
  const chosen = localStorage.getItem(themeKey)
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : isDark ? 'dark' : 'light'
  document.documentElement.dataset['mantineColorScheme'] = theme
}

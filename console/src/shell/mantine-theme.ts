import { createTheme } from '@mantine/core'

/** What styles.css cannot say. Colours are there, because the page policy forbids the styles that Mantine would write. */
export const mantineTheme = createTheme({ cursorType: 'pointer', respectReducedMotion: true })

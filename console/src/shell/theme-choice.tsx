import { useMantineColorScheme } from '@mantine/core'
import type { Theme } from './theme.ts'

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <label className="shell-theme">
      <span>Theme</span>
      <select value={colorScheme} onChange={({ target }) => setColorScheme(target.value as Theme)}>
        <option value="auto">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}

import { useMantineColorScheme } from '@mantine/core'
import type { Theme } from './theme.ts'
import { words } from './words.ts'

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <label className="shell-theme">
      <span>{words.theme}</span>
      <select value={colorScheme} onChange={({ target }) => setColorScheme(target.value as Theme)}>
        <option value="auto">{words.system}</option>
        <option value="light">{words.light}</option>
        <option value="dark">{words.dark}</option>
      </select>
    </label>
  )
}

import { useEffect, useState } from 'react'
import { linkProps } from './address.ts'
import { type Group, navigationGroups, type ScreenPath, screenList } from './screen-list.ts'
import { ThemeChoice } from './theme-choice.tsx'
import { words } from './words.ts'

/** Beside the content; on narrow pages behind a button. */
export function Navigation({ path, onHelp }: { path: string; onHelp: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address closes the menu
  useEffect(() => setIsOpen(false), [path])
  return (
    <nav className="shell-nav" aria-label={words.console} data-open={isOpen}>
      <button type="button" className="shell-menu" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {words.menu}
      </button>
      <div className="shell-links">
        {navigationGroups.map((group) => (
          <NavigationGroup
            key={group}
            group={group}
            path={path}
            screens={screenList.filter((screen) => screen.group === group)}
          />
        ))}
        <ThemeChoice />
        <button type="button" className="shell-help" onClick={onHelp}>
          {words.keyboardShortcuts}
        </button>
      </div>
    </nav>
  )
}

function NavigationGroup({ group, path, screens }: { group: Group; path: string; screens: { path: ScreenPath }[] }) {
  if (screens.length === 0) return null
  return (
    <div>
      {group && <p className="shell-group">{words.groups[group]}</p>}
      <ul>
        {screens.map((screen) => (
          <li key={screen.path}>
            <a {...linkProps(screen.path)} aria-current={isWithin(path, screen.path) ? 'page' : undefined}>
              {words.screens[screen.path]}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function isWithin(path: string, screen: string): boolean {
  return path === screen || (screen !== '/' && path.startsWith(`${screen}/`))
}

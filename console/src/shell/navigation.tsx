import { useEffect, useState } from 'react'
import { linkProps } from './address.ts'
import { navigationGroups, screenList } from './screen-list.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** Beside the content; on narrow pages behind a button. */
export function Navigation({ path, onHelp }: { path: string; onHelp: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address closes the menu
  useEffect(() => setIsOpen(false), [path])
  return (
    <nav className="shell-nav" aria-label="Console" data-open={isOpen}>
      <button type="button" className="shell-menu" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Menu
      </button>
      <div className="shell-links">
        {navigationGroups.map((group) => (
          <NavigationGroup
            key={group}
            title={group}
            path={path}
            screens={screenList.filter((screen) => screen.group === group)}
          />
        ))}
        <ThemeChoice />
        <button type="button" className="shell-help" onClick={onHelp}>
          Keyboard shortcuts
        </button>
      </div>
    </nav>
  )
}

function NavigationGroup({
  title,
  path,
  screens,
}: {
  title: string
  path: string
  screens: { path: string; title: string }[]
}) {
  if (screens.length === 0) return null
  return (
    <div>
      {title && <p className="shell-group">{title}</p>}
      <ul>
        {screens.map((screen) => (
          <li key={screen.path}>
            <a {...linkProps(screen.path)} aria-current={isWithin(path, screen.path) ? 'page' : undefined}>
              {screen.title}
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

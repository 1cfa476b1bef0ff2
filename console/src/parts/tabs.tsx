import { linkProps } from '../shell/address.ts'

/** Parts of one thing, each with an address. */
export function Tabs({
  label,
  path,
  current,
  tabs,
}: {
  label: string
  path: string
  current: string
  tabs: [key: string, title: string][]
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([key, title], index) => (
        <a
          key={key}
          {...linkProps(index === 0 ? path : `${path}?tab=${key}`)}
          aria-current={key === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'
import { linkProps } from '../shell/address.ts'
import { words } from './words.ts'

type Crumb = [title: string, path: string]

/** The head of every screen. It takes the focus when the screen opens, so that a screen reader says where one is. */
export function ScreenHead(props: { title: string; hint?: ReactNode; crumbs?: Crumb[]; children?: ReactNode }) {
  const { title, hint, crumbs = [], children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="head">
      {crumbs.length > 0 && (
        <nav aria-label={words.breadcrumbs} className="head-crumbs">
          {crumbs.map(([name, path]) => (
            <a key={path} {...linkProps(path)}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <div className="head-row">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div className="head-acts">{children}</div>
      </div>
      {hint && <p className="head-hint">{hint}</p>}
    </div>
  )
}

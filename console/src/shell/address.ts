import { type MouseEvent, useSyncExternalStore } from 'react'

// Filters, tabs and page numbers are in the address, so that each view can be reloaded, sent to somebody and gone back to.

const base = '/console'
const changed = 'atrium:address'

/** `to` is below `/console`, such as `/tenants?q=acme`. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(to))
  dispatchEvent(new Event(changed))
}

export function hrefOf(to: string): string {
  return base + (to === '/' ? '' : to.replace(/^\/(?=\?)/, ''))
}

/** Path below `/console`, and the query. */
export function useAddress(): { path: string; search: URLSearchParams } {
  const href = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const [path = '', search] = href.split('?')
  return { path: path.slice(base.length).replace(/\/$/, '') || '/', search: new URLSearchParams(search) }
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(changed, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(changed, listener)
  }
}

/** Query members of the address, and how to change some of them. An empty value leaves the address; so does the page. */
export function useFilters<Name extends string>(
  ...names: Name[]
): [values: Record<Name, string>, change: (values: Partial<Record<Name | 'page', string>>) => void] {
  const { path, search } = useAddress()
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>
  const change = (next: Partial<Record<Name | 'page', string>>) => {
    const changed = new URLSearchParams(search)
    changed.delete('page')
    for (const [name, value] of Object.entries(next)) {
      if (value) changed.set(name, String(value))
      else changed.delete(name)
    }
    navigate(`${path}${changed.size > 0 ? `?${changed}` : ''}`, { replace: true })
  }
  return [values, change]
}

/** For a link: a plain click changes the address without loading the page again. */
export function linkProps(to: string) {
  return {
    href: hrefOf(to),
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      navigate(to)
    },
  }
}

import { hrefOf, linkProps, useAddress } from '../shell/address.ts'
import { words } from './words.ts'

export type Pagination = { page: number; limit: number; total: number; totalPages: number }

const number = new Intl.NumberFormat()

export function Pager({ pagination: { page, limit, total, totalPages } }: { pagination: Pagination }) {
  const { path, search } = useAddress()
  const pageAt = (wanted: number) => {
    const query = new URLSearchParams(search)
    query.set('page', String(wanted))
    return `${path}?${query}`
  }
  const first = (page - 1) * limit + 1
  return (
    <nav className="pager" aria-label={words.pages}>
      <span>
        {total === 0
          ? words.none
          : words.range(number.format(first), number.format(Math.min(page * limit, total)), number.format(total))}
      </span>
      {totalPages > 1 && (
        <>
          <PageLink to={page > 1 ? pageAt(page - 1) : null}>{words.previous}</PageLink>
          <PageLink to={page < totalPages ? pageAt(page + 1) : null}>{words.next}</PageLink>
        </>
      )}
    </nav>
  )
}

function PageLink({ to, children }: { to: string | null; children: string }) {
  if (to === null) return <span className="pager-off">{children}</span>
  return (
    <a key={hrefOf(to)} {...linkProps(to)}>
      {children}
    </a>
  )
}

import { hrefOf, linkProps, useAddress } from '../shell/address.ts'

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
    <nav className="pager" aria-label="Pages">
      <span>
        {total === 0
          ? 'None'
          : `${number.format(first)}–${number.format(Math.min(page * limit, total))} of ${number.format(total)}`}
      </span>
      {totalPages > 1 && (
        <>
          <PageLink to={page > 1 ? pageAt(page - 1) : null}>Previous</PageLink>
          <PageLink to={page < totalPages ? pageAt(page + 1) : null}>Next</PageLink>
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

import type { Pages } from '@atrium/sdk/admin'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAddress } from '../shell/address.ts'
import { Answer } from './answer.tsx'
import { type Column, List } from './list.tsx'
import { Pager, type Pagination } from './pager.tsx'

type Page = { pagination: Pagination }

type Props<Row, Answered extends Page> = {
  label: string
  /** Names the list in the cache: the operation and its input. */
  queryKey: unknown[]
  list: () => Pages<Row, Answered>
  rows: (answer: Answered) => Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  empty: ReactNode
  /** Asked again that often while the page is visible. */
  renewMs?: number
}

/** A list of the service, page by page; the page is in the address. */
export function PagedList<Row, Answered extends Page>(props: Props<Row, Answered>) {
  const { label, queryKey, list, rows, columns, rowKey, empty, renewMs } = props
  const page = Number(useAddress().search.get('page')) || 1
  const query = useQuery({
    queryKey: [...queryKey, page],
    queryFn: () => list().page(page),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs ?? false,
  })
  return (
    <Answer query={query}>
      {(answer) =>
        rows(answer).length === 0 && page === 1 ? (
          empty
        ) : (
          <>
            <List label={label} rows={rows(answer)} columns={columns} rowKey={rowKey} />
            <Pager pagination={answer.pagination} />
          </>
        )
      }
    </Answer>
  )
}

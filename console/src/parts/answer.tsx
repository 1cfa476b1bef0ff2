import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { words } from './words.ts'

/** What was asked: a skeleton until it is there, the failure if it does not come, and what was there before while it is renewed. */
export function Answer<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <div role="status" aria-label={words.loading}>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="answer-skeleton" height={36} />
      ))}
    </div>
  )
}

import type { ReactNode } from 'react'

/** What a list is for, and the first act, where there is nothing yet. */
export function Empty({ children, act }: { children: ReactNode; act?: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {act}
    </div>
  )
}

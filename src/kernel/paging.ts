/** One page of a list, newest first. `page` counts from 1. */
export type PageRequest = { page: number; limit: number }

export type Page<T> = { items: T[]; total: number }

export type Pagination = { page: number; limit: number; total: number; totalPages: number }

export function pageOffset({ page, limit }: PageRequest): number {
  return (page - 1) * limit
}

/** The page numbers that accompany a list. A page past the end is an empty list, not an error. */
export function toPagination({ page, limit }: PageRequest, total: number): Pagination {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

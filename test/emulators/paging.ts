/** One page of a list, and the token of the next one; null at the end. */
export function pageOf<Item>(
  items: readonly Item[],
  token: string | null,
  size: number,
): { page: Item[]; next: string | null } {
  const start = token === null || token === '' ? 0 : Number(token)
  const end = start + size
  return { page: items.slice(start, end), next: end < items.length ? String(end) : null }
}

/** The size that a request asks for, within the provider's limits. */
export function pageSize(text: string | null, { usual, max }: { usual: number; max: number }): number {
  const size = Number(text ?? usual)
  return Number.isInteger(size) && size > 0 ? Math.min(size, max) : usual
}

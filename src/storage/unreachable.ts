/** What an operator is told when the database server does not answer: its address, without the password in it. */
export function unreachable(url: string, cause: unknown): Error {
  const { host, pathname } = new URL(url)
  return new Error(`PostgreSQL does not answer at ${host}${pathname}: ${String(cause)}`, { cause })
}

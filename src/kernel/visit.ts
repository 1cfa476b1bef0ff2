/** What is known of a request for a public page. It is not read while the request is served. */
export type Visit = {
  ip: string
  /** Path and query as they were sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
}

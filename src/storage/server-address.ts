/** Where a server is, for people: the host, the port and the path of its address, without user, password and options. */
export function serverAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname === '/' ? '' : pathname}`
}

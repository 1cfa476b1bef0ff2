import type { Handler, Routes } from './call.ts'

type Route = { method: string; host: string; pattern: RegExp; names: string[]; handle: Handler }

export type Match = { handle: Handler; params: Record<string, string> }

/** `:name` stands for one segment of a path, `*name` for the rest of it. */
export function router(routes: Routes): (method: string, host: string, path: string) => Match | null {
  const compiled = Object.entries(routes).map(([key, handle]) => compile(key, handle))
  return (method, host, path) => {
    for (const route of compiled) {
      if (route.method !== method || route.host !== host) continue
      const match = route.pattern.exec(path)
      if (match === null) continue
      const params = Object.fromEntries(
        route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]),
      )
      return { handle: route.handle, params }
    }
    return null
  }
}

function compile(key: string, handle: Handler): Route {
  const [method = '', address = ''] = key.split(' ')
  const slash = address.indexOf('/')
  const names: string[] = []
  const pattern = address
    .slice(slash)
    .split('/')
    .map((segment) =>
      segment.replaceAll(/[.()]/g, '\\$&').replaceAll(/([:*])(\w+)/g, (_all, kind: string, name: string) => {
        names.push(name)
        return kind === '*' ? '(.+)' : '([^/]+?)'
      }),
    )
    .join('/')
  return { method, host: address.slice(0, slash), pattern: new RegExp(`^${pattern}$`), names, handle }
}

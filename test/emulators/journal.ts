import type { Call } from './call.ts'
import type { EmulatedName } from './emulator.ts'

export type JournalEntry = {
  at: string
  provider: EmulatedName | null
  method: string
  host: string
  path: string
  query: string
  /** What was answered, also where the answer was lost; null where the request was lost before its effect. */
  status: number | null
  lost: 'before' | 'after' | null
  /** Null where the body may hold secrets. */
  body: string | null
}

export type JournalFilter = { provider?: EmulatedName; method?: string; path?: string }

export type Journal = {
  entries(filter?: JournalFilter): JournalEntry[]
  add(entry: JournalEntry): void
  clear(): void
}

const bodyLengthMax = 20_000

export function createJournal(): Journal {
  let all: JournalEntry[] = []
  return {
    entries: ({ provider, method, path } = {}) =>
      all.filter(
        (entry) =>
          (provider === undefined || entry.provider === provider) &&
          (method === undefined || entry.method === method) &&
          (path === undefined || `${entry.host}${entry.path}`.includes(path)),
      ),
    add: (entry) => void all.push(entry),
    clear: () => {
      all = []
    },
  }
}

/** Bodies that carry client secrets, codes or tokens are left out. */
export function journaledBody(call: Call): string | null {
  if (/secret|token|code=|revoke/i.test(`${call.path}${call.text.slice(0, 2_000)}`)) return null
  return call.text.slice(0, bodyLengthMax)
}

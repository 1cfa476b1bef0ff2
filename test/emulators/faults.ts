import type { Call } from './call.ts'
import type { EmulatedName } from './emulator.ts'

/** What goes wrong with the next `times` requests that match. */
export type Fault = {
  provider?: EmulatedName
  method?: string
  /** Part of `host/path`. */
  path?: string
  /** Part of the request's body. */
  body?: string
  /** Answered instead of the real answer, and without its effect. */
  status?: number
  headers?: Record<string, string>
  answer?: unknown
  /** How long it waits before the effect, and after it. */
  delayMs?: number
  answerDelayMs?: number
  /** The connection breaks: before the request has its effect, or after it and before the answer. */
  lost?: 'before' | 'after'
  times?: number
}

export type Faults = {
  add(fault: Fault): void
  clear(): void
  /** The fault for this request, which counts as one of its times. */
  take(provider: EmulatedName, call: Call): Fault | null
}

export function createFaults(): Faults {
  let faults: { fault: Fault; left: number }[] = []
  return {
    add: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      faults = []
    },
    take: (provider, call) => {
      const found = faults.find(({ fault }) => matches(fault, provider, call))
      if (found === undefined) return null
      found.left -= 1
      faults = faults.filter(({ left }) => left > 0)
      return found.fault
    },
  }
}

function matches(fault: Fault, provider: EmulatedName, call: Call): boolean {
  if (fault.provider !== undefined && fault.provider !== provider) return false
  if (fault.method !== undefined && fault.method !== call.method) return false
  if (fault.path !== undefined && !`${call.host}${call.path}`.includes(fault.path)) return false
  return fault.body === undefined || call.text.includes(fault.body)
}

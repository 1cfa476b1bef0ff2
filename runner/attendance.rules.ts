import type { Sight } from './surfaces/surface.ts'

/** Names by which bots say what they are. Other bots count as nobody. */
const isBotName = (name: string): boolean => /\(notes\)|\bbot\b|note ?taker|recorder|transcri(?:ber|ption)/i.test(name)

export function countAttendance(people: Sight['people']): { people: number; bots: number } {
  const bots = people.filter(({ name }) => isBotName(name)).length
  return { people: people.length - bots, bots }
}

/** Who comes later is told too, but the chat is not flooded. */
const repeatMsMin = 300_000

/** When the notice is due again: somebody has come since, and the last one is long ago enough. */
export function noticeRepeater() {
  const known = new Set<string>()
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isOwed = false
  return {
    isDue: (people: Sight['people'], nowMs: number): boolean => {
      for (const { name } of people) {
        if (known.has(name) || isBotName(name)) continue
        known.add(name)
        isOwed = true
      }
      return isOwed && nowMs - saidAtMs >= repeatMsMin
    },
    said: (people: Sight['people'], nowMs: number) => {
      for (const { name } of people) known.add(name)
      saidAtMs = nowMs
      isOwed = false
    },
  }
}

/** People talk, and nothing arrives. */
const deafMs = 120_000

export function hearing() {
  const spoke = new Map<string, number>()
  let entryAtMs = 0
  return {
    entry: (nowMs: number) => {
      entryAtMs = nowMs
      spoke.clear()
    },
    /** Two people have been talking since the last entry, which is two minutes ago. */
    isDeaf: (people: Sight['people'], nowMs: number): boolean => {
      for (const { name, isSpeaking } of people) if (isSpeaking && !isBotName(name)) spoke.set(name, nowMs)
      return spoke.size >= 2 && nowMs - entryAtMs >= deafMs
    },
  }
}

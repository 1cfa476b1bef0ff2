import { parseUserAgent, type UserAgent } from './user-agent.rules.ts'

export type UserAgents = {
  /** Loads the list of robots; until then a short pattern is used. */
  load(): Promise<void>
  of(text: string): UserAgent
}

/** About 300 bytes each. A few texts cover nearly all visits. */
const rememberedMax = 5000
const textLengthMax = 512
const plainBots = /bot|crawl|spider|slurp|preview|headless/i

/** Caches results, because a check against the whole list costs microseconds. */
export function userAgents(): UserAgents {
  const remembered = new Map<string, UserAgent>()
  let isBot = (text: string): boolean => plainBots.test(text)
  let isLoaded = false
  return {
    load: async () => {
      if (isLoaded) return
      const list = await import('isbot')
      isLoaded = true
      isBot = (text) => list.isbot(text)
      remembered.clear()
    },
    of: (sent) => {
      const text = sent.slice(0, textLengthMax)
      const known = remembered.get(text)
      if (known !== undefined) return known
      if (remembered.size >= rememberedMax) remembered.clear()
      const agent = parseUserAgent(text, isBot)
      remembered.set(text, agent)
      return agent
    },
  }
}

import { type Agent, agentOf } from './agent.rules.ts'

export type Agents = {
  /** Loads the list of robots; until then a short pattern stands for it. */
  load(): Promise<void>
  of(text: string): Agent
}

/** About 300 bytes each. Few texts make up nearly all visits. */
const rememberedMax = 5000
const textLengthMax = 512
const plainBots = /bot|crawl|spider|slurp|preview|headless/i

/** Remembers what it found: a look through the whole list costs microseconds. */
export function agents(): Agents {
  const remembered = new Map<string, Agent>()
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
      const agent = agentOf(text, isBot)
      remembered.set(text, agent)
      return agent
    },
  }
}

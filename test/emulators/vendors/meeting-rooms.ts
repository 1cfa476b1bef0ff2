import type { EmulatorClock } from '../emulator.ts'

/** Why a bot is out. */
export type Outcome =
  | 'meeting_ended'
  | 'alone'
  | 'silence'
  | 'not_admitted'
  | 'denied'
  | 'removed'
  | 'asked'
  | 'not_found'
  | 'login'
  | 'error'
export type Said = { id: string; speaker: string; text: string; at: Date; isDraft: boolean }

export type RoomBot = {
  id: string
  link: string
  name: string
  /** Of the order: a deduplication key or metadata. */
  key: string | null
  notice: string | null
  hookUrl: string | null
  stage: 'joining' | 'waiting' | 'inside' | 'leaving' | 'over'
  outcome: Outcome | null
  createdAt: Date
  waitedAt: Date | null
  joinedAt: Date | null
  leftAt: Date | null
  speech: Said[]
  chat: Said[]
  isErased: boolean
}

/** What the people in the meetings do. Every change is told to `changed`, which sends the vendor's webhooks. */
export type MeetingRooms = {
  bots: RoomBot[]
  add(bot: Pick<RoomBot, 'id' | 'link' | 'name' | 'key' | 'notice' | 'hookUrl'>): RoomBot
  find(id: string): RoomBot
  wait(id: string): void
  admit(id: string): void
  say(id: string, said: { speaker: string; text: string; id?: string; isDraft?: boolean }): void
  /** What was said is gone: a draft that was none. */
  unsay(id: string, saidId: string): void
  write(id: string, message: { speaker: string; text: string }): void
  over(id: string, outcome: Outcome): void
  /** The vendor takes some time to leave; a vendor's bug is that it never does. */
  askToLeave(bot: RoomBot): void
  leaveSeconds: number
  isOver(bot: RoomBot): boolean
}

type Change = { kind: 'stage' } | { kind: 'chat'; said: Said }

export function meetingRooms(clock: EmulatorClock, changed: (bot: RoomBot, change: Change) => void): MeetingRooms {
  const bots: RoomBot[] = []
  let last = 0
  const leavingSince = new Map<RoomBot, Date>()
  const now = () => clock.now()
  const nextId = () => {
    last += 1
    return `said-${last}`
  }
  function enter(bot: RoomBot, stage: RoomBot['stage']): void {
    bot.stage = stage
    if (stage === 'waiting') bot.waitedAt ??= now()
    if (stage === 'inside') bot.joinedAt ??= now()
    changed(bot, { kind: 'stage' })
  }
  function end(bot: RoomBot, outcome: Outcome, at: Date): void {
    if (bot.stage === 'over') return
    bot.outcome = outcome
    bot.leftAt = at
    enter(bot, 'over')
  }

  const rooms: MeetingRooms = {
    bots,
    leaveSeconds: 1,
    add: (given) => {
      const bot: RoomBot = {
        ...given,
        stage: 'joining',
        outcome: null,
        createdAt: now(),
        waitedAt: null,
        joinedAt: null,
        leftAt: null,
        speech: [],
        chat: [],
        isErased: false,
      }
      bots.push(bot)
      changed(bot, { kind: 'stage' })
      return bot
    },
    find: (id) => {
      const found = bots.find((bot) => bot.id === id)
      if (found === undefined) throw new Error(`there is no bot ${id}`)
      return found
    },
    wait: (id) => enter(rooms.find(id), 'waiting'),
    admit: (id) => enter(rooms.find(id), 'inside'),
    say: (id, { speaker, text, id: saidId, isDraft = false }) => {
      const { speech } = rooms.find(id)
      const before = speech.find((said) => said.id === saidId)
      if (before !== undefined) Object.assign(before, { speaker, text, isDraft })
      else speech.push({ id: saidId ?? nextId(), speaker, text, at: now(), isDraft })
    },
    unsay: (id, saidId) => {
      const bot = rooms.find(id)
      bot.speech = bot.speech.filter((said) => said.id !== saidId)
    },
    write: (id, { speaker, text }) => {
      const bot = rooms.find(id)
      const said = { id: nextId(), speaker, text, at: now(), isDraft: false }
      bot.chat.push(said)
      changed(bot, { kind: 'chat', said })
    },
    over: (id, outcome) => end(rooms.find(id), outcome, now()),
    askToLeave: (bot) => {
      if (bot.stage === 'over' || leavingSince.has(bot)) return
      leavingSince.set(bot, now())
      enter(bot, 'leaving')
    },
    isOver: (bot) => {
      const since = leavingSince.get(bot)
      const outAt = since === undefined ? null : new Date(since.getTime() + rooms.leaveSeconds * 1000)
      if (outAt !== null && outAt <= now()) end(bot, 'asked', outAt)
      return bot.stage === 'over'
    },
  }
  return rooms
}

/** What the runner and the platform say to each other, below `/assistant/v1/bot-runner`. */

export const platforms = ['page', 'jitsi'] as const
export type Platform = (typeof platforms)[number]

export type Bot = {
  id: string
  attempt: number
  platform: Platform
  displayName: string
  consentMessage: string
}

/** `lease` fences: the platform refuses reports of an older one. */
export type Claim = { bot: Bot; link: string; lease: number }

export type Status = 'joining' | 'waiting_room' | 'in_meeting' | 'leaving' | 'ended' | 'failed'

export type Command = {
  id: string
  botId: string
  kind: 'leave' | 'message' | 'stop'
  reason?: string
  text?: string
}

/** `atMs` is counted from the admission of this attempt, before it from the claim, by a clock that only goes forward. */
export type BotEvent = { seq: number; atMs: number } & EventBody
export type EventBody =
  | { type: 'status'; status: Status; reason?: string; detail?: string }
  | { type: 'participants'; people: number; bots: number }
  | { type: 'notice'; delivered: boolean }
  | { type: 'chat'; from: string; text: string }
  | { type: 'health'; health: 'ok' | 'deaf' }
  | { type: 'speech' }
  | { type: 'command_done'; commandId: string; isDone: boolean; detail?: string }

export type Entry = { segmentId: string; speaker: string; text: string; atMs: number; isFinal: boolean }

export type Artifact = { name: string; contentType: string; bytes: Uint8Array }

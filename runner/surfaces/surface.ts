/** Where a visit stands, as far as the page shows it. `unknown`: nothing on it is known. */
export type Stage =
  | 'prejoin'
  | 'waiting'
  | 'meeting'
  | 'denied'
  | 'removed'
  | 'ended'
  | 'captcha'
  | 'sign-in'
  | 'host-token'
  | 'not-found'
  | 'unknown'

/** How a meeting page is read and used: CSS selectors only, so that a changed page is mended in one table. */
export type Surface = {
  /** The first whose element is visible wins, so ends stand before beginnings. */
  stages: { stage: Exclude<Stage, 'unknown'>; selector: string }[]
  name: string
  join: string
  leave: string
  chat: { open: string; input: string /** Null: Enter sends. */; send: string | null; message: Parts }
  captions: { turnOn: string; line: Parts & { /** Matches a line that will not change. */ final: string | null } }
  people: {
    tile: string
    name: string /** Matches the tile of who is speaking. */
    speaking: string
    self: string | null
  }
  /** The element that plays a participant, inside his tile; null: this page's sound cannot be told apart. */
  sound: string | null
  /** What a link needs in addition, for example to join without camera and microphone. */
  prepareLink(link: string): string
}

/** `author` is null where the text begins with it, as in `Ada: words`. */
export type Parts = { item: string; author: string | null; text: string }

/** What the script inside the page reports. */
export type Sight = {
  stage: Stage
  people: { name: string; isSpeaking: boolean }[]
  messages: Line[]
  captions: (Line & { isFinal: boolean })[]
}
export type Line = { key: string; author: string; text: string }

export const nothingSeen: Sight = { stage: 'unknown', people: [], messages: [], captions: [] }

import type { Bot, ConsentDecision } from '../bot.rules.ts'

type Message = { speaker: string; text: string }

/** What a line of the chat decides. Null: nothing. */
export function chatDecision(text: string): ConsentDecision | null {
  const word = /^\s*!(agree|stop|forget)\b/i.exec(text)?.[1]?.toLowerCase()
  return word === 'agree' ? 'agreed' : word === 'stop' ? 'stopped' : word === 'forget' ? 'forgotten' : null
}

/** Whether a line of the chat is a question to the bot: it begins with the first word of its name. */
export function isAsked({ chatAnswers: mode, displayName }: Pick<Bot, 'chatAnswers' | 'displayName'>, text: string) {
  const name = displayName.split(/\s+/)[0]?.toLowerCase() ?? ''
  return (
    mode === 'mention' &&
    name !== '' &&
    text
      .toLowerCase()
      .replace(/^\s*@?/, '')
      .startsWith(name)
  )
}

/** Written by the bot: its notice may name the commands, and must not obey itself. */
export const isOwnMessage = (
  { displayName, consent }: Pick<Bot, 'displayName' | 'consent'>,
  { speaker, text }: Message,
): boolean => speaker.trim() === displayName || text.trim() === consent.message

/** Written to the bot or by it. That is done, or was said, and is no part of what the meeting said: it is never kept. */
export const isBotTalk = (
  bot: Pick<Bot, 'chatAnswers' | 'displayName' | 'consent'>,
  { speaker, text }: Message,
): boolean => chatDecision(text) !== null || isAsked(bot, text) || isOwnMessage(bot, { speaker, text })

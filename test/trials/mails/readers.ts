import type { Written } from '../../harness/mail-engine.ts'
import {
  question,
  type Reader,
  type ReadersWorld,
  readersWorld,
  seen,
  type Word,
  words,
} from '../../harness/mail-readers.ts'
import type { Row } from '../row.ts'

type Seen = { asked: number; answered: number; sentToAll: number; words: number; broken: string[] }

/** How a mail claims to be of somebody. */
const claims = ['pass', 'none', 'fail'] as const

/**
 * Every kind of sender, with every other person in Cc, asks for everything that can be read; then mails try to steer the engine.
 * Nobody may get to see a word that they may not read, neither by mail nor in the conversation.
 */
export async function mailReaders(steeringMails: number): Promise<Row[]> {
  const world = await readersWorld()
  const rows: Row[] = []
  for (const authenticity of claims)
    for (const sender of world.readers) {
      const total: Seen = { asked: 0, answered: 0, sentToAll: 0, words: 0, broken: [] }
      const others = world.readers.filter((it) => it !== sender)
      for (const cc of [[], ...others.map((it) => [it]), others])
        for (const word of words) await ask(world, { sender, cc, word, authenticity }, total)
      const { broken, ...counts } = total
      rows.push({ sender: sender.who, authenticity, ...counts, broken: broken.slice(0, 3).join('; ') })
    }
  const steered = await world.steer(steeringMails)
  rows.push({ sender: 'steering', authenticity: 'pass', asked: steeringMails, broken: steered.slice(0, 3).join('; ') })
  return rows
}

type Asked = { sender: Reader; cc: Reader[]; word: Word; authenticity: (typeof claims)[number] }

async function ask({ engine, readers }: ReadersWorld, { sender, cc, word, authenticity }: Asked, total: Seen) {
  const { address, userId } = sender
  const threadId = await engine.thread([{ address, ...(userId === null ? {} : { userId }) }])
  const recipients = cc.map((it) => it.address)
  const mail: Written = { from: address, threadId, recipients, authenticity, text: question(word) }
  const { answer } = await engine.ask(mail)
  total.asked++
  if (answer === null) return
  total.answered++
  const shown = seen(answer.text)
  total.words += shown.length
  if (answer.to.length > 1) total.sentToAll++
  const inThread = await engine.correspondents(threadId)
  for (const reader of readers) {
    if (!answer.to.includes(reader.address) && !inThread.includes(reader.address)) continue
    const tooMuch = shown.filter((it) => !reader.may.includes(it))
    if (tooMuch.length > 0)
      total.broken.push(`${reader.who} read ${tooMuch}, asked by ${sender.who} with Cc ${recipients}`)
  }
  const isFailed = authenticity === 'fail'
  if (isFailed || (authenticity === 'none' && answer.status !== 'draft'))
    total.broken.push(`${sender.who} was answered`)
}

import { parentPort, workerData } from 'node:worker_threads'
import { seededRandom } from '../../harness/seeded-random.ts'
import { smtpConversation } from '../../harness/smtp-conversation.ts'
import { mutatedMail } from './mutated-mail.ts'

// A thread, so that making and sending a mail does not hold the loop that is measured.

export type Sender = { port: number; seed: number; from: string; address: string }
export type Sent = { what: string; answer: string }

const { port, seed, from, address } = workerData as Sender

parentPort?.on('message', async (n: number) => {
  const { bytes, what, tag } = mutatedMail(seededRandom(seed + n), { n, from, address })
  const to = address.replace('@', `${tag}@`)
  const data = bytes.toString('latin1').replace(/^\./gm, '..')
  const lines = ['EHLO client.example.com', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', `${data}\r\n.`]
  const answers = await smtpConversation(port, lines, 'latin1').catch((error) => [String(error)])
  const refused = answers.find((it) => !/^[23]/.test(it))
  const sent: Sent = { what: `${n}: ${what}`, answer: refused ?? answers.at(-1) ?? 'no answer' }
  parentPort?.postMessage(sent)
})

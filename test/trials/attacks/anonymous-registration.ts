import { ask } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
import { describeAnswers } from './inbound-connection.ts'

const callers = 64
const roundsOfCaller = 40

/** Every registration costs a password hash, a row and a mail, and made a user whom no limit of a tenant counted. */
export const anonymousRegistration: Attack = {
  name: 'registrations without an API key',
  run: async ({ base }) => {
    const register = async (caller: number) => {
      const answers = []
      for (let round = 0; round < roundsOfCaller; round++) {
        const account = { email: `stranger-${caller}-${round}@example.com`, password: 'plum-Kayak-73-otter' }
        const bytes = Buffer.from(JSON.stringify(account))
        const headers = { 'content-type': 'application/json' }
        answers.push(await ask({ url: `${base}/v1/auth/register`, method: 'POST', headers, bytes }))
      }
      return answers
    }
    const answers = (await Promise.all(Array.from({ length: callers }, (_, caller) => register(caller)))).flat()
    if (answers.some(({ status }) => status < 400)) throw new Error('A stranger was registered.')
    return describeAnswers(answers)
  },
}

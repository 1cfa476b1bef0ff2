import assert from 'node:assert/strict'
import { unique } from '../../harness/app.ts'
import { type Answer, ask, countStatuses } from '../../harness/client.ts'
import type { Attack } from './attack.ts'

const guesses = 60

/** A stranger guesses the password of somebody else. The owner logs in from where the account is known. */
export const guessedPassword: Attack = {
  name: 'wrong passwords of a stranger, then the right one',
  run: async ({ base, customer }) => {
    const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
    const send = (path: string, localAddress: string, body: object) =>
      ask({ url: `${base}/v1/auth/${path}`, method: 'POST', headers: customer.headers, localAddress, body })
    assert.equal((await send('register', '127.0.0.1', account)).status, 201)
    const answers: Answer[] = []
    for (let guess = 0; guess < guesses; guess++)
      answers.push(await send('login', '127.0.0.3', { ...account, password: `wrong-${guess}` }))
    const { status, body } = await send('login', '127.0.0.1', account)
    assert.equal(status, 200, `the owner gets ${status} ${body?.code}`)
    const { 401: checked, 429: delayed } = countStatuses(answers)
    assert.equal(checked, 5)
    return `${checked} guesses checked, ${delayed} delayed; the owner: 200`
  },
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { takenOfForged } from '../../../test/harness/forged-tokens.ts'
import { tokensWith } from '../../mime/mail-token.ts'
import { readRecipient } from './recipient-name.ts'

const tokens = tokensWith(randomBytes(32))
const at = { domain: 'mail.example.org', tokens }

test('a token is 26 letters, is read in any letter case, and only for its use', () => {
  for (let n = 0; n < 500; n++) {
    const random = randomBytes(10)
    const token = tokens.write('reply', random)
    assert.match(token, /^[a-z2-7]{26}$/)
    assert.deepEqual(tokens.read('reply', token.toUpperCase()), random)
    assert.equal(tokens.read('bounce', token), null)
    assert.equal(tokensWith(randomBytes(32)).read('reply', token), null)
  }
})

test('a token with one wrong letter is wrong', () => {
  const token = tokens.write('reply', randomBytes(10))
  for (let place = 0; place < token.length; place++) {
    const letter = token[place] === 'a' ? 'b' : 'a'
    assert.equal(tokens.read('reply', token.slice(0, place) + letter + token.slice(place + 1)), null)
  }
})

test('of forged tokens none is taken, wherever they stand, and none costs a look into the database', async () => {
  assert.equal(await takenOfForged(10_000, tokens), 0)
})

test('an address is read with its tag or its token, whatever mail servers did to its case', () => {
  const random = randomBytes(10)
  const token = tokens.write('reply', random).toUpperCase()
  const plain = { localPart: 'team', tag: null, replyToken: null, bounceToken: null }
  const read: [address: string, expected: object | null][] = [
    ['Team@Mail.Example.ORG', plain],
    ['team+docs@mail.example.org', { ...plain, tag: 'docs' }],
    ['team+@mail.example.org', plain],
    [`TEAM+${token}@mail.example.org`, { ...plain, replyToken: random }],
    [`team+${tokens.write('bounce', random)}@mail.example.org`, { ...plain, bounceToken: random }],
    ['team@example.org', null],
    ['team@sub.mail.example.org', null],
    ['@mail.example.org', null],
    ['team', null],
    [`${'t'.repeat(31)}@mail.example.org`, null],
    ['tea m@mail.example.org', null],
    ['team+a b@mail.example.org', null],
  ]
  for (const [address, expected] of read) assert.deepEqual(readRecipient(address, at), expected, address)
})

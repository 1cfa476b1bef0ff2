import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readOptions, usage } from './options.ts'

const needed = ['--url', 'https://atrium.example.com/']

describe('the command line of the runner', () => {
  test('needs only the address; the token may come from the environment', () => {
    const options = readOptions(needed, { ATRIUM_ENROLLMENT_TOKEN: 'x' })
    assert.deepEqual(
      [options.url, options.token, options.slots, options.hasSandbox],
      [needed[1]?.slice(0, -1), 'x', 2, true],
    )
    assert.equal(readOptions([...needed, '--token', 'y'], { ATRIUM_ENROLLMENT_TOKEN: 'x' }).token, 'y')
    assert.throws(() => readOptions([], {}), /--url/)
  })

  const wrong: string[][] = [
    ['--url', 'http://atrium.example.com'],
    ['--url', 'atrium'],
    ['--slots', '0'],
    ['--slots', '51'],
    ['--away-seconds', '601'],
    ['--allow-host', 'a.example.com, MAP * 10.0.0.1'],
    ['--unknown'],
    ['something'],
  ]
  for (const more of wrong)
    test(`refuses ${more.join(' ')}`, () => assert.throws(() => readOptions([...needed, ...more], {})))

  test('sends sound only encrypted, or to its own machine', () => {
    const speech = (url: string) => readOptions(needed, { STT_BASE_URL: url }).speechToText
    assert.deepEqual(speech('http://127.0.0.1:9000/v1/'), {
      baseUrl: 'http://127.0.0.1:9000/v1',
      apiKey: undefined,
      model: 'whisper-1',
    })
    assert.throws(() => speech('http://stt.example.com/v1'), /https/)
    assert.equal(readOptions(needed, {}).speechToText, undefined)
  })

  test('is described whole for operators', () => {
    const page = readFileSync(new URL('../docs/bots-operators.md', import.meta.url), 'utf8')
    for (const [option] of usage.matchAll(/--[a-z-]+/g)) assert.ok(page.includes(`\`${option}\``), option)
  })
})

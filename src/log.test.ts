import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from './log.ts'

/** A log, and the lines it has written. */
function log(level = 'info') {
  let text = ''
  const opened = openLog(level, {
    write: (chunk: string) => {
      text += chunk
    },
  })
  return { log: opened, text: () => text, lines: () => text.split('\n').slice(0, -1) }
}

test('what is logged is one line of JSON each, whatever characters are in it', () => {
  const { log: opened, lines } = log()
  const hostile = [
    'a\r\nb',
    '\u001b[2J\u001b[31m',
    '{"level":"error"}\n{"level":"fatal"}',
    '\u0000\u0007\u007f\u2028',
    '\ud800',
  ]
  for (const text of hostile) opened.info({ text, [text]: [text], err: new Error(text) }, text)
  assert.equal(lines().length, hostile.length)
  for (const [index, line] of lines().entries()) {
    const { time, level, msg, text } = JSON.parse(line)
    assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual([level, msg, text], ['info', hostile[index], hostile[index]])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    assert.doesNotMatch(line, /[\u0000-\u001f]/)
  }
})

test('secrets are withheld by their names, at any depth and in errors', () => {
  const { log: opened, text, lines } = log()
  const secret = 'opensesame'
  const headers = {
    authorization: secret,
    Cookie: secret,
    'set-cookie': secret,
    'x-api-key': secret,
    'X-Admin-Key': secret,
  }
  const connection = { password: secret, host: 'db' }
  const error = Object.assign(new Error('refused', { cause: Object.assign(new Error('why'), { connection }) }), {
    code: '28P01',
    connection,
    client: { secret },
  })
  opened.error(
    { err: error, request: { headers, body: [{ idToken: secret, deep: { newPassword: secret } }] } },
    'failed',
  )
  opened.warn({ err: new AggregateError([error], 'several'), bytes: Buffer.from(secret) }, 'failed')
  assert.ok(!text().includes(secret), text())
  assert.ok(!text().includes(Buffer.from(secret).toString('hex')))
  const [first, second] = lines().map((line) => JSON.parse(line))
  assert.deepEqual([first.err.message, first.err.code, first.err.cause.message], ['refused', '28P01', 'why'])
  assert.match(first.err.stack, /log\.test\.ts/)
  assert.equal(second.err.errors[0].message, 'refused')
})

test('a circle in what is logged ends nothing but itself', () => {
  const { log: opened, lines } = log()
  const circle: Record<string, unknown> = { name: 'round' }
  circle['self'] = circle
  opened.info({ circle }, 'round')
  assert.equal(JSON.parse(lines()[0] ?? '').circle.name, 'round')
})

test('what is below the level is not written', () => {
  const { log: opened, text } = log('warn')
  opened.info({ a: 1 }, 'nothing')
  assert.equal(text(), '')
})

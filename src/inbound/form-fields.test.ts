import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type FormFields, fieldOf, readForm } from './form-fields.ts'

const part = (name: string, value: string, more = '') =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`

function fields(body: string, boundary = 'b', contentType = 'multipart/form-data') {
  const headers = { 'content-type': `${contentType}; boundary=${boundary}` }
  return textsOf(readForm({ body: Buffer.from(body), contentType, headers }))
}

function textsOf(fields: FormFields | null) {
  return fields && Object.fromEntries([...fields].map(([name, values]) => [name, values.map(String)]))
}

describe('the fields of a form', () => {
  test('are read by name, several of one name in their order, files left out', () => {
    const body = [
      part('a', '1'),
      part('file', 'GIF8', '; filename="x.gif"\r\nContent-Type: image/gif'),
      part('a', 'é\r\n2'),
      part('c', ''),
    ]
    assert.deepEqual(fields(`--b\r\n${body.join('\r\n--b\r\n')}\r\n--b--\r\n`), { a: ['1', 'é\r\n2'], c: [''] })
    assert.deepEqual(fields(`before\r\n--b \r\n${part('a', '1')}\r\n--b--after`), { a: ['1'] })
    assert.deepEqual(fields('a=1&b=%C3%A9+x&a=2', '', 'application/x-www-form-urlencoded'), {
      a: ['1', '2'],
      b: ['é x'],
    })
  })

  test('hold what looks like a delimiter and is none', () => {
    const value = 'x--b\r\n--bc\r\n-- b\r\n --b'
    assert.deepEqual(fields(`--b\r\n${part('a', value)}\r\n--b--`), { a: [value] })
  })

  const broken: [string, string][] = [
    ['no delimiter', part('a', '1')],
    ['no end', `--b\r\n${part('a', '1')}\r\n`],
    ['a part without a name', '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--'],
    ['a part without headers', '--b\r\n\r\n1\r\n--b--'],
    ['a name twice in one part', `--b\r\nContent-Disposition: form-data; name="x"\r\n${part('a', '1')}\r\n--b--`],
    ['a header that is none', `--b\r\nnonsense\r\n${part('a', '1')}\r\n--b--`],
    ['9 KB of headers', `--b\r\nX-More: ${'x'.repeat(9000)}\r\n${part('a', '1')}\r\n--b--`],
    ['1,001 parts', `--b\r\n${Array(1001).fill(part('a', '1')).join('\r\n--b\r\n')}\r\n--b--`],
  ]
  for (const [name, body] of broken) test(`are none with ${name}`, () => assert.equal(fields(body), null))

  test('are none of a type that is no form, or without a boundary', () => {
    const raw = { body: Buffer.from('{}') }
    assert.equal(readForm({ ...raw, contentType: 'application/json', headers: {} }), null)
    assert.equal(readForm({ ...raw, contentType: 'multipart/form-data', headers: {} }), null)
    assert.equal(
      readForm({ ...raw, contentType: 'multipart/form-data', headers: { 'content-type': ['a', 'b'] } }),
      null,
    )
    assert.equal(fields('--\r\n', ''), null)
    assert.equal(fields('a=1&'.repeat(1000), '', 'application/x-www-form-urlencoded'), null)
  })

  test('are left out where they are not wanted, or have more than a megabyte', () => {
    const raw = { contentType: 'application/x-www-form-urlencoded', headers: {} }
    const urlencoded = Buffer.from(`a=1&b=2&%61=3&a=${'x'.repeat(1_048_577)}&${'n'.repeat(2000)}&=7&a`)
    assert.deepEqual(textsOf(readForm({ ...raw, body: urlencoded }, { names: ['a'] })), { a: ['1', '3', ''] })
    const type = 'multipart/form-data'
    const body = Buffer.from(`--b\r\n${part('a', '1')}\r\n--b\r\n${part('b', '2')}\r\n--b--`)
    const multipart = { contentType: type, headers: { 'content-type': `${type}; boundary=b` }, body }
    assert.deepEqual(textsOf(readForm(multipart, { names: ['b'] })), { b: ['2'] })
    assert.deepEqual(textsOf(readForm(multipart, { valueBytesMax: 0 })), {})
    const longer = readForm({ ...raw, body: urlencoded }, { names: ['a'], valueBytesMax: 2_000_000 })
    assert.deepEqual(
      longer?.get('a')?.map(({ length }) => length),
      [1, 1, 1_048_577, 0],
    )
  })

  test('of an urlencoded form are what the platform reads', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c=&%41+é]{0,40}$/), (text) => {
        const grouped = Map.groupBy([...new URLSearchParams(text)], ([name]) => name)
        const expected = Object.fromEntries([...grouped].map(([name, group]) => [name, group.map(([, one]) => one)]))
        assert.deepEqual(fields(text, '', 'application/x-www-form-urlencoded'), expected)
      }),
    )
  })

  test('count where they are there once', () => {
    const read = new Map([
      ['a', [Buffer.from('1')]],
      ['b', [Buffer.from('1'), Buffer.from('2')]],
      ['c', []],
    ])
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => fieldOf(read, name)),
      ['1', null, null, null],
    )
  })

  test('come out as they went in, whatever their values', () => {
    const value = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('--boundary'))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), value), { maxLength: 10 }), (pairs) => {
        const body = pairs.map(([name, text]) => `--boundary\r\n${part(name, text)}\r\n`).join('')
        const grouped = Object.fromEntries(
          [...Map.groupBy(pairs, ([name]) => name)].map(([name, group]) => [name, group.map(([, text]) => text)]),
        )
        assert.deepEqual(fields(`${body}--boundary--\r\n`, 'boundary'), grouped)
      }),
    )
  })
})

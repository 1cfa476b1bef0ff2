import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type FormFields, fieldText, readBufferedForm } from './buffered-form.ts'

const part = (name: string, value: string, more = '') =>
  `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`

async function fields(body: string, boundary = 'b', type = 'multipart/form-data') {
  return texts(await readBufferedForm({ body: Buffer.from(body), contentType: `${type}; boundary=${boundary}` }))
}

function texts(fields: FormFields | null) {
  return fields && Object.fromEntries([...fields].map(([name, values]) => [name, values.map(String)]))
}

describe('the fields of a form', () => {
  test('are read by name, several of one name in their order, files left out', async () => {
    const body = [
      part('a', '1'),
      part('file', 'GIF8', '; filename="x.gif"\r\nContent-Type: image/gif'),
      part('a', 'é\r\n2'),
      part('c', ''),
    ]
    assert.deepEqual(await fields(`--b\r\n${body.join('\r\n--b\r\n')}\r\n--b--\r\n`), { a: ['1', 'é\r\n2'], c: [''] })
    assert.deepEqual(await fields(`before\r\n--b\r\n${part('a', '1')}\r\n--b--after`), { a: ['1'] })
    assert.deepEqual(await fields('a=1&b=%C3%A9+x&a=2', '', 'application/x-www-form-urlencoded'), {
      a: ['1', '2'],
      b: ['é x'],
    })
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
  for (const [name, body] of broken) test(`are none with ${name}`, async () => assert.equal(await fields(body), null))

  test('are none of another type, or without a boundary', async () => {
    const body = Buffer.from('{}')
    for (const contentType of ['application/json', 'multipart/form-data', '', 'multipart/form-data; boundary="'])
      assert.equal(await readBufferedForm({ body, contentType }), null)
    assert.equal(await fields('--\r\n', ''), null)
    assert.equal(await fields('--\r\n', 'b'.repeat(71)), null)
    assert.equal(await fields('a=1&'.repeat(1000), '', 'application/x-www-form-urlencoded'), null)
  })

  test('are left out where they are not wanted, or have more than a megabyte', async () => {
    const long = 'x'.repeat(1_048_577)
    const urlencoded = {
      contentType: 'application/x-www-form-urlencoded',
      body: Buffer.from(`a=1&b=2&%61=3&a=${long}&${'n'.repeat(2000)}&=7&a`),
    }
    assert.deepEqual(texts(await readBufferedForm(urlencoded, { names: ['a'] })), { a: ['1', '3', ''] })
    const parts = [part('a', '1'), part('b', '2'), part('a', long)]
    const multipart = {
      contentType: 'multipart/form-data; boundary=b',
      body: Buffer.from(`--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--`),
    }
    assert.deepEqual(texts(await readBufferedForm(multipart)), { a: ['1'], b: ['2'] })
    assert.deepEqual(texts(await readBufferedForm(multipart, { names: ['b'] })), { b: ['2'] })
    assert.deepEqual(texts(await readBufferedForm(multipart, { valueBytesMax: 0 })), {})
    for (const form of [urlencoded, multipart]) {
      const longer = await readBufferedForm(form, { names: ['a'], valueBytesMax: 2_000_000 })
      assert.equal(longer?.get('a')?.find(({ length }) => length > 1)?.length, long.length)
    }
  })

  test('let the event loop turn while a large form is read', async () => {
    const multipart = Buffer.from(`--b\r\n${part('a', 'x'.repeat(4_000_000))}\r\n--b--`)
    const urlencoded = Buffer.from(`a=${'+'.repeat(1_000_000)}&`.repeat(20))
    for (const [body, contentType] of [
      [multipart, 'multipart/form-data; boundary=b'],
      [urlencoded, 'application/x-www-form-urlencoded'],
    ] as const) {
      let turns = 0
      const count = setInterval(() => turns++, 0)
      await readBufferedForm({ body, contentType })
      clearInterval(count)
      assert.ok(turns > 0, contentType)
    }
  })

  test('of an urlencoded form are what the platform reads', async () => {
    await fc.assert(
      // In ASCII, as forms are sent: the platform misreads other characters beside an escape.
      fc.asyncProperty(fc.stringMatching(/^[a-c=&%41+]{0,40}$/), async (text) => {
        const grouped = Map.groupBy([...new URLSearchParams(text)], ([name]) => name)
        const expected = Object.fromEntries([...grouped].map(([name, group]) => [name, group.map(([, one]) => one)]))
        assert.deepEqual(await fields(text, '', 'application/x-www-form-urlencoded'), expected)
      }),
    )
  })

  test('of an urlencoded form may have other characters beside escapes', async () => {
    const type = 'application/x-www-form-urlencoded'
    assert.deepEqual(await fields('é%41%=%c3%a9é+%zz%', '', type), { 'éA%': ['éé %zz%'] })
  })

  test('count where they are there once', async () => {
    const read = new Map([
      ['a', [Buffer.from('1')]],
      ['b', [Buffer.from('1'), Buffer.from('2')]],
      ['c', []],
    ])
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => fieldText(read, name)),
      ['1', null, null, null],
    )
  })

  test('come out as they went in, whatever their values', async () => {
    const value = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('--boundary'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), value), { maxLength: 10 }),
        async (pairs) => {
          const body = pairs.map(([name, text]) => `--boundary\r\n${part(name, text)}\r\n`).join('')
          const grouped = Object.fromEntries(
            [...Map.groupBy(pairs, ([name]) => name)].map(([name, group]) => [name, group.map(([, text]) => text)]),
          )
          assert.deepEqual(await fields(`${body}--boundary--\r\n`, 'boundary'), grouped)
        },
      ),
    )
  })
})

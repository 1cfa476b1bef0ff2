import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { type ConfigInput, configFileName, renderConfig } from './config.rules.ts'

const input: ConfigInput = {
  deviceName: "Zoë's laptop",
  region: 'eu-central',
  configVersion: 3,
  privateKey: 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=',
  address4: '10.64.0.2',
  address6: 'fd42:1::2',
  dns: ['10.64.0.1', 'fd42:1::1'],
  mtu: 1420,
  serverPublicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
  presharedKey: 'XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=',
  endpointHost: 'vpn.example.com',
  endpointPort: 51820,
}

const deviceId = '019a8f0e-7c3b-7a1d-9e52-4b6f00c0ffee'

const declared = `# Zoë's laptop @ eu-central  config v3
[Interface]
PrivateKey = dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=
Address = 10.64.0.2/32, fd42:1::2/128
DNS = 10.64.0.1, fd42:1::1
MTU = 1420

[Peer]
PublicKey = hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=
PresharedKey = XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = vpn.example.com:51820
PersistentKeepalive = 25
`

const hostileNames = [
  'a\nPostUp = id',
  'a\r\nPostUp = id\r\n',
  'a\rPostUp = id',
  'a\u2028PostUp = id',
  'a\u2029PostUp = id',
  'a\u0085PostUp = id',
  'a\u000bPostUp = id\u000c[Peer]',
  'a\u0000\nPostUp = id',
  '\n[Peer]\nPublicKey = AAAA',
  '[Interface]\nTable = off',
  '#\n#\nPreDown = id #',
  'a\\\nPostUp = id',
  'a\ud800\nPostUp = id',
  '\n\n\n',
]

// Names made of dangerous pieces, since arbitrary text alone rarely holds one.
const hostilePiece = fc.constantFrom(
  '\n',
  '\r',
  '\0',
  '\u2028',
  '\u2029',
  '\x85',
  '\v',
  '\f',
  '\x1b',
  '[Peer]',
  'PostUp = id',
  '#',
  '=',
  ' ',
  '\\',
)
const anyName = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc
    .array(fc.oneof(hostilePiece, fc.string({ unit: anyCharacter })), { maxLength: 12 })
    .map((pieces) => pieces.join('')),
)

/** Reads a .conf as the most generous client would: any line end of Unicode ends a line, `#` starts a comment. */
function parseConfig(text: string): string[] {
  let section = ''
  const entries: string[] = []
  for (const line of text.split(/\r\n|[\n\v\f\r\0\x85\u2028\u2029]/)) {
    const content = line.replace(/#.*$/s, '').trim()
    if (content === '') continue
    if (content.startsWith('[')) section = content
    entries.push(content.startsWith('[') ? content : `${section} ${content}`)
  }
  return entries
}

test('a config has these lines in this order and ends with a newline', () => {
  assert.equal(renderConfig(input), declared)
})

test('no device name and no region adds, removes or changes a key or a section', () => {
  const expected = parseConfig(declared)
  fc.assert(
    fc.property(anyName, anyName, (deviceName, region) => {
      assert.deepEqual(parseConfig(renderConfig({ ...input, deviceName, region })), expected)
    }),
    { numRuns: 1000 },
  )
})

test('no other text adds a line either', () => {
  fc.assert(
    fc.property(anyName, (text) => {
      const hostile = { endpointHost: text, address4: text, address6: text, dns: [text], serverPublicKey: text }
      const rendered = renderConfig({ ...input, ...hostile, privateKey: text, presharedKey: text })
      assert.equal(rendered.split(/[\n\v\f\r\0\x85\u2028\u2029]/).length, declared.split('\n').length)
    }),
  )
})

test('a config can be sent as UTF-8 and read back unchanged whatever the name holds', () => {
  fc.assert(
    fc.property(anyName, (deviceName) => {
      const text = renderConfig({ ...input, deviceName })
      assert.equal(Buffer.from(text, 'utf8').toString('utf8'), text)
    }),
  )
})

test('emoji and other scripts in a name stay as they are', () => {
  const [comment] = renderConfig({ ...input, deviceName: '👩‍💻 ноутбук' }).split('\n')
  assert.equal(comment, '# 👩‍💻 ноутбук @ eu-central  config v3')
})

test('a device that made its own pair gets a placeholder for the private key', () => {
  assert.match(renderConfig({ ...input, privateKey: null }), /^PrivateKey = <REPLACE_WITH_YOUR_PRIVATE_KEY>$/m)
})

test('a server without DNS gives a config without a DNS line', () => {
  assert.equal(renderConfig({ ...input, dns: [] }), declared.replace(/^DNS.*\n/m, ''))
})

test('an IPv6 endpoint stands in brackets, a host name and an IPv4 address do not', () => {
  assert.match(renderConfig({ ...input, endpointHost: '2001:db8::1' }), /^Endpoint = \[2001:db8::1\]:51820$/m)
  assert.match(renderConfig({ ...input, endpointHost: '192.0.2.1' }), /^Endpoint = 192\.0\.2\.1:51820$/m)
})

const fileNames: [deviceName: string, fileName: string][] = [
  ['laptop', 'laptop.conf'],
  ["Anna's iPhone 15", 'Annas-iPhone-15.conf'],
  ['Zoë Büro', 'Zoe-Buro.conf'],
  ['a-name-that-is-much-too-long', 'a-name-that-is.conf'],
  ['../../etc/passwd', 'etcpasswd.conf'],
  ['.hidden', 'hidden.conf'],
  ['--flag', 'flag.conf'],
  ['home\r\nSet-Cookie: a=b', 'home-Set-Cookie.conf'],
  ['Иван 📱', 'vpn-c0ffee.conf'],
  ['', 'vpn-c0ffee.conf'],
  ['...', 'vpn-c0ffee.conf'],
  ['NUL', 'vpn-c0ffee.conf'],
  ['com1.home', 'vpn-c0ffee.conf'],
]

for (const [deviceName, fileName] of fileNames) {
  test(`the config of a device named ${JSON.stringify(deviceName)} is the file ${fileName}`, () => {
    assert.equal(configFileName(deviceName, deviceId), fileName)
  })
}

test('every file name is one that wg-quick takes, and neither hidden nor an option', () => {
  fc.assert(
    fc.property(anyName, (deviceName) => {
      assert.match(configFileName(deviceName, deviceId), /^[a-zA-Z0-9_=+][a-zA-Z0-9_=+.-]{0,14}\.conf$/)
    }),
  )
})

/** Whether `wg-quick strip` can be asked; says loudly when it cannot. Without root it would ask for a password. */
function canStrip(t: TestContext): boolean {
  const isInstalled = spawnSync('wg-quick', ['--help']).status === 0
  if (isInstalled && process.getuid?.() === 0) return true
  const reason = isInstalled ? 'wg-quick needs root' : 'wireguard-tools is not installed'
  process.stderr.write(`\n*** SKIPPED, ${reason}: ${t.name} ***\n\n`)
  t.skip(`${reason}: no config was read by wg-quick`)
  return false
}

test('wg-quick takes every config under its file name and reads the declared keys only', (t) => {
  if (!canStrip(t)) return
  const folder = mkdtempSync(join(tmpdir(), 'atrium-conf-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // What wg-quick leaves for `wg`: its own keys (Address, DNS, MTU) are taken out, as a hook would be.
  const forWg = parseConfig(declared).filter((entry) => !/ (Address|DNS|MTU) = /.test(entry))
  for (const deviceName of ['laptop', '📱', ...hostileNames]) {
    const path = join(folder, configFileName(deviceName, deviceId))
    writeFileSync(path, renderConfig({ ...input, deviceName, region: deviceName }), { mode: 0o600 })
    const { status, stdout, stderr } = spawnSync('wg-quick', ['strip', path], { encoding: 'utf8' })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.deepEqual(parseConfig(stdout), forWg)
  }
})

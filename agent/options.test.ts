import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readOptions, usage } from './options.ts'

const needed = ['--url', 'https://atrium.example.com', '--interface', 'wg0', '--state', '/var/lib/atrium-agent']

describe('the command line of the agent', () => {
  test('needs an address, an interface and a folder', () => {
    assert.equal(readOptions(needed, {}).reportSeconds, 15)
    assert.throws(() => readOptions(needed.slice(2), {}), /--url/)
  })

  test('takes the token from the environment, where other users of the machine do not see it', () => {
    assert.equal(readOptions(needed, { ATRIUM_ENROLLMENT_TOKEN: 'x' }).token, 'x')
    assert.equal(readOptions([...needed, '--token', 'y'], { ATRIUM_ENROLLMENT_TOKEN: 'x' }).token, 'y')
  })

  const wrong: string[][] = [
    ['--url', 'http://atrium.example.com'],
    ['--url', 'atrium'],
    ['--interface', 'a name that is too long'],
    ['--interface', 'wg0"; flush ruleset'],
    ['--report-seconds', '0'],
    ['--endpoint-port', '70000'],
    ['--allow-network', '10.0.0.0/33'],
    ['--allow-network', '0.0.0.0/0'],
    ['--allow-network', '10.0.0.0/8 } ; flush ruleset'],
    ['--dns', 'resolver.example.com'],
    ['--dns', '127.0.0.53'],
    ['--dns', 'none', '--dns', '9.9.9.9'],
    ['--unknown'],
    ['something'],
  ]
  for (const more of wrong) {
    test(`refuses ${more.join(' ')}`, () => assert.throws(() => readOptions([...needed, ...more], {})))
  }

  test('takes private networks and resolvers one by one, or as a list from the environment', () => {
    const { allowedNetworks, dns } = readOptions(
      [...needed, '--allow-network', '10.1.2.0/24', '--allow-network', 'fd12:3::/48', '--dns', '10.1.2.3'],
      { ATRIUM_ALLOWED_NETWORKS: '192.168.7.7, 10.9.0.0/16', ATRIUM_DNS: '9.9.9.9' },
    )
    assert.deepEqual(allowedNetworks.ipv4, ['10.1.2.0/24', '192.168.7.7/32', '10.9.0.0/16'])
    assert.deepEqual(allowedNetworks.ipv6, ['fd12:3::/48'])
    assert.deepEqual(dns, { kind: 'forward', resolvers: ['10.1.2.3'] })
    const environment = { ATRIUM_DNS: '9.9.9.9,149.112.112.112' }
    assert.deepEqual(readOptions(needed, environment).dns, {
      kind: 'forward',
      resolvers: ['9.9.9.9', '149.112.112.112'],
    })
    assert.deepEqual(
      [readOptions(needed, {}).dns, readOptions([...needed, '--dns', 'none'], environment).dns],
      [{ kind: 'automatic' }, { kind: 'none' }],
    )
  })

  test('sends preshared keys unencrypted only on its own machine, or when told to', () => {
    const at = (url: string, ...more: string[]) => readOptions([...needed, '--url', url, ...more], {}).url
    assert.equal(at('http://127.0.0.1:3000'), 'http://127.0.0.1:3000')
    assert.equal(at('http://10.0.0.1', '--allow-http'), 'http://10.0.0.1')
  })

  test('is understood as the unit of the service manager has it', () => {
    const unit = readFileSync(new URL('atrium-agent.service', import.meta.url), 'utf8')
    const [, line = ''] = /^ExecStart=\S+ \S+\/agent\/main\.ts (.*)$/m.exec(unit) ?? []
    const args = line
      .replace(/\$\{\w+_URL\}/, 'https://a.example')
      .replace(/\$\{\w+_INTERFACE\}/, 'wg0')
      .split(' ')
    const { url, interfaceName, stateFolder, removesInterface: isTakenDown } = readOptions(args, {})
    assert.deepEqual(
      [url, interfaceName, stateFolder, isTakenDown],
      ['https://a.example', 'wg0', '/var/lib/atrium-agent', false],
    )
  })

  test('is the one that the page for operators shows', () => {
    const page = readFileSync(new URL('../docs/vpn-operators.md', import.meta.url), 'utf8')
    for (const [name] of usage.matchAll(/--[a-z-]+/g)) assert.ok(page.includes(name), name)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseDns } from './resolvers.ts'
import type { Run } from './run.ts'

const stub = '/run/systemd/resolve/resolv.conf'
const classic = '/etc/resolv.conf'
const machine =
  (files: Record<string, string>): Run =>
  async (_command, [file = '']) => {
    const text = files[file]
    if (text === undefined) throw new Error('No such file')
    return text
  }

describe('the resolvers of devices', () => {
  const automatic = { kind: 'automatic' } as const

  test('are those of the machine, as far as they are public', async () => {
    const found = { kind: 'forward', resolvers: ['9.9.9.9', '1.1.1.1'] }
    const text =
      '# comment\nnameserver 10.0.0.2\nnameserver\t9.9.9.9\noptions edns0\nnameserver 2620:fe::fe\n nameserver 1.1.1.1 \n'
    assert.deepEqual(await chooseDns(machine({ [classic]: text }), automatic), found)
    const local = { [classic]: 'nameserver 127.0.0.53\n', [stub]: text }
    assert.deepEqual(await chooseDns(machine(local), automatic), found)
  })

  test('are none where the machine has only private ones: those know the names of its network', async () => {
    const files = { [classic]: 'nameserver 169.254.169.253\nnameserver 10.0.0.2\n' }
    assert.deepEqual(await chooseDns(machine(files), automatic), { kind: 'none' })
    assert.deepEqual(await chooseDns(machine({}), automatic), { kind: 'none' })
  })

  test('are what the operator names, whatever the machine asks', async () => {
    const asked = { kind: 'forward', resolvers: ['10.0.0.2'] } as const
    const choice = { kind: asked.kind, resolvers: [...asked.resolvers] }
    assert.deepEqual(await chooseDns(machine({ [classic]: 'nameserver 9.9.9.9' }), choice), asked)
    assert.deepEqual(await chooseDns(machine({ [classic]: 'nameserver 9.9.9.9' }), { kind: 'none' }), { kind: 'none' })
  })
})

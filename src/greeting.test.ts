import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { greeting, type Start } from './greeting.ts'

const start: Start = {
  version: '1.2.3',
  address: 'http://127.0.0.1:8080',
  config: { host: '127.0.0.1', databaseUrl: null, redisUrl: null, publicUrl: null },
  dataFolder: '/data',
  adminKey: { value: 'atradmin_x', from: 'kept' },
  blobPlace: { kind: 'folder', folder: '/data/media' },
  signInLink: null,
}

const card = (address: string, family: 'IPv4' | 'IPv6', scopeid = 0) =>
  ({ address, family, scopeid, internal: false }) as NetworkInterfaceInfo

const interfaces = {
  lo: [card('127.0.0.1', 'IPv4'), card('::1', 'IPv6')],
  eth0: [card('192.0.2.7', 'IPv4'), card('fe80::7', 'IPv6', 2), card('2001:db8::7', 'IPv6')],
}

test('the start says where everything is: addresses, database, Redis, files and admin key', () => {
  assert.equal(
    greeting(start, interfaces),
    [
      'Atrium 1.2.3 listens on http://127.0.0.1:8080',
      '  console        npm run atrium -- open',
      '  API reference  http://127.0.0.1:8080/docs',
      '  addresses      http://127.0.0.1:8080',
      '  database       embedded, in /data',
      '  Redis          none',
      '  files          in /data/media',
      '  admin key      in /data/admin-key',
      '',
    ].join('\n'),
  )
})

test('with servers it names their hosts and no password, and every address of the machine', () => {
  const text = greeting(
    {
      ...start,
      config: {
        host: '0.0.0.0',
        databaseUrl: 'postgres://atrium:secret1@db.example:6432/atrium?sslpassword=secret2',
        redisUrl: 'rediss://:secret3@redis.example/2',
        publicUrl: 'https://atrium.example',
      },
      adminKey: { value: 'secret4', from: 'environment' },
      blobPlace: { kind: 'bucket', bucket: 'files', endpoint: 's3.example' },
    },
    interfaces,
  )
  const lines = [
    '  addresses      http://127.0.0.1:8080',
    '                 http://192.0.2.7:8080',
    '                 https://atrium.example (PUBLIC_URL)',
    '  database       PostgreSQL at db.example:6432/atrium',
    '  Redis          at redis.example/2',
    '  files          in the bucket files at s3.example',
    '  admin key      as ADMIN_KEY says',
  ]
  assert.ok(text.includes(lines.join('\n')), text)
  assert.doesNotMatch(text, /secret/)
  const withoutRedis = { ...start.config, databaseUrl: 'postgres://db/x' }
  assert.match(greeting({ ...start, config: withoutRedis }), /Redis {10}none: each node counts rate limits for itself/)
})

test('an IPv6 address is written in brackets, and addresses of one link alone are left out', () => {
  const text = greeting({ ...start, address: 'http://[::]:80', config: { ...start.config, host: '::' } }, interfaces)
  assert.match(text, /^ +http:\/\/\[2001:db8::7\]$/m)
  assert.doesNotMatch(text, /fe80/)
})

test('a link that opens the console stands first', () => {
  const signInLink = 'http://127.0.0.1:8080/console#link=atrlink_x'
  assert.match(greeting({ ...start, signInLink }, interfaces), new RegExp(`^.*\\n {2}console {8}${signInLink}\\n`))
})

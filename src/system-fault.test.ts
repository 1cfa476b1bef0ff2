import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { explained } from './system-fault.ts'

const place = { host: '127.0.0.1', port: 8080 }
const systemError = (error: object) => Object.assign(new Error('EXYZ: something, open'), error)

describe('an error of the operating system', () => {
  const cases: [title: string, error: object, said: RegExp][] = [
    ['a port that is taken', { syscall: 'listen', code: 'EADDRINUSE' }, /port 8080 of 127\.0\.0\.1\b.*\bPORT\b/],
    ['a port that needs rights', { syscall: 'listen', code: 'EACCES' }, /port 8080\b.*\bPORT\b/],
    ['an address of another machine', { syscall: 'listen', code: 'EADDRNOTAVAIL' }, /127\.0\.0\.1\b.*\bHOST\b/],
    ['a host name that nobody knows', { syscall: 'getaddrinfo', code: 'ENOTFOUND' }, /\bHOST\b/],
    ['a folder of another account', { path: '/data/master-key', code: 'EACCES' }, /may not .*\/data\/master-key/],
    ['a read-only file system', { path: '/data', code: 'EROFS' }, /\/data .*read-only.*another/],
    ['a file where a folder should be', { path: '/data/x', code: 'ENOTDIR' }, /\/data\/x .*file and not a folder/],
    ['a folder that is not there', { path: '/backups/a.part', code: 'ENOENT' }, /\/backups\/a\.part .*does not exist/],
    ['a full disk', { path: '/data/x', code: 'ENOSPC' }, /no space left.*\/data\/x/],
  ]
  for (const [title, error, said] of cases) {
    test(`says what to do: ${title}`, () => assert.match(explained(systemError(error), place), said))
  }

  test('that nobody foresaw is told as it came', () => {
    assert.equal(explained(systemError({ syscall: 'listen', code: 'EMFILE' }), place), 'EXYZ: something, open')
    assert.equal(
      explained(new Error('The database was made with another master key.')),
      'The database was made with another master key.',
    )
    assert.equal(explained('nothing at all'), 'nothing at all')
  })
})

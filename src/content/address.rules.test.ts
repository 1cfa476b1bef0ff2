import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressProblem } from './address.rules.ts'

const good = [
  '/',
  '/products/vault-vpn?plan=PRO#top',
  '#contact',
  '?page=2',
  '../up',
  'docs/errors',
  '/a:b',
  'https://example.com',
  'HTTP://example.com:8080/a?b=c#d',
  'https://例え.example/パス',
  'mailto:sales@example.com?subject=Hello',
]
for (const address of good) {
  test(`a visitor may be led to ${address}`, () => assert.equal(addressProblem(address), null))
}

const bad = [
  '',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  'tel:123',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://user:password@example.com',
  'https://example.com@evil.example/',
  'https:',
  'https:///',
  'https:example.com',
  'https://',
  'https://exa mple.com',
  '/\u202etxt.exe',
  '/\u200b',
  `/${'a'.repeat(2048)}`,
]
for (const address of bad) {
  test(`a visitor is not led to ${JSON.stringify(address).slice(0, 60)}`, () =>
    assert.notEqual(addressProblem(address), null))
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostileUrls } from '../../test/harness/hostile-urls.ts'
import { isPublicAddress, urlProblem } from './target-address.ts'

describe('addresses', () => {
  test('an endpoint cannot be at an address that is not of the public internet, in any notation', () => {
    for (const url of hostileUrls(8443)) assert.notEqual(urlProblem(url, 'public'), null, url)
  })

  test('an endpoint may be at any other address', () => {
    const urls = [
      'https://example.com/',
      'https://example.com:8443/hook?token=1',
      'https://8.8.8.8/',
      'https://172.32.0.1/',
      'https://[2606:4700::1111]/',
      'https://bücher.example/',
    ]
    for (const url of urls) assert.equal(urlProblem(url, 'public'), null, url)
  })

  test('for development plain HTTP, every port and the own network are open, but no user in the address', () => {
    for (const url of ['http://127.0.0.1:3000/', 'http://localhost/', 'https://10.0.0.1:1/'])
      assert.equal(urlProblem(url, 'any'), null, url)
    for (const url of ['ftp://127.0.0.1/', 'http://a@localhost/', 'nowhere'])
      assert.notEqual(urlProblem(url, 'any'), null, url)
  })

  test('an address is public or it is not, as the registries of special addresses say', () => {
    const cases: [string, boolean][] = [
      ['1.1.1.1', true],
      ['100.63.255.255', true],
      ['100.128.0.0', true],
      ['126.255.255.255', true],
      ['127.255.255.255', false],
      ['169.253.255.255', true],
      ['172.15.255.255', true],
      ['192.169.0.0', true],
      ['223.255.255.255', true],
      ['240.0.0.1', false],
      ['2606:4700::1111', true],
      ['2001:4860:4860::8888', true],
      ['2001:1ff:ffff::', false],
      ['2002:808:808::', false],
      ['3fff::1', false],
      ['4000::1', false],
      ['::ffff:8.8.8.8', false],
      ['fe80::1%eth0', false],
      ['2606:4700::1111%eth0', false],
      ['', false],
      ['example.com', false],
    ]
    for (const [address, isPublic] of cases) assert.equal(isPublicAddress(address), isPublic, address)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MeetingHosts, readMeetingLink } from './meeting-links.ts'

const hosts: MeetingHosts = new Map([
  ['127.0.0.1:4000', 'page'],
  ['meet.example.org', 'jitsi'],
])

const known: [link: string, platform: string, roomId: string, shownUrl: string][] = [
  ['https://zoom.us/j/98765432100?pwd=abc', 'zoom', '98765432100', 'https://zoom.us/j/98765432100'],
  [
    'https://us02web.zoom.us/w/98765432100?tk=abc#success',
    'zoom',
    '98765432100',
    'https://us02web.zoom.us/w/98765432100',
  ],
  ['https://acme.zoom.us/wc/join/98765432100', 'zoom', '98765432100', 'https://acme.zoom.us/wc/join/98765432100'],
  ['https://zoom.us/my/Ada.Room', 'zoom', 'my/ada.room', 'https://zoom.us/my/Ada.Room'],
  [
    'https://meet.google.com/ABC-defg-hij?authuser=1',
    'meet',
    'abc-defg-hij',
    'https://meet.google.com/ABC-defg-hij?authuser=1',
  ],
  [
    'https://teams.live.com/meet/9312345678901?p=Secret1',
    'teams',
    '9312345678901',
    'https://teams.live.com/meet/9312345678901',
  ],
  [
    'https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc%40thread.v2/0?context=%7b%7d',
    'teams',
    '19:meeting_abc@thread.v2',
    'https://teams.microsoft.com/l/meetup-join/19%3ameeting_abc%40thread.v2/0?context=%7b%7d',
  ],
  ['https://meet.jit.si/MyRoom?jwt=abc#config.x=1', 'jitsi', 'meet.jit.si/myroom', 'https://meet.jit.si/MyRoom'],
  ['https://meet.example.org/Room', 'jitsi', 'meet.example.org/room', 'https://meet.example.org/Room'],
  [
    'http://127.0.0.1:4000/meeting?room=7&passcode=1',
    'page',
    '127.0.0.1:4000/meeting?room=7',
    'http://127.0.0.1:4000/meeting?room=7',
  ],
]

describe('a link to a meeting', () => {
  for (const [link, platform, roomId, shownUrl] of known)
    test(`is read: ${link}`, () => {
      assert.deepEqual(readMeetingLink(link, hosts), { platform, roomId, url: new URL(link).href, shownUrl })
    })

  test('to another host or page is an address without a platform, shown without passcodes', () => {
    for (const link of ['https://webex.example.com/meet/ada?password=1', 'https://zoom.us/pricing?pwd=1']) {
      const found = readMeetingLink(link, hosts)
      assert.deepEqual([found?.platform, found?.roomId], [null, null])
      assert.equal(found?.shownUrl, link.split('?')[0])
    }
  })

  test('is no host that only looks like a known one', () => {
    for (const link of ['https://zoom.us.example.com/j/98765432100', 'https://evilzoom.us/j/98765432100'])
      assert.equal(readMeetingLink(link, hosts)?.platform, null)
  })

  test('needs TLS, but at hosts of the operator, and has no user name', () => {
    const refused = [
      'http://zoom.us/j/98765432100',
      'https://ada:secret@zoom.us/j/98765432100',
      'javascript:alert(1)',
      'zoom.us/j/98765432100',
      `https://zoom.us/j/98765432100?x=${'x'.repeat(2048)}`,
    ]
    for (const link of refused) assert.equal(readMeetingLink(link, hosts), null, link)
  })

  test('gives a room that can be stored, whatever is escaped in it', () => {
    const id = readMeetingLink('https://teams.microsoft.com/l/meetup-join/19%00meeting_%ff_abc/0', hosts)?.roomId ?? ''
    assert.ok(id.isWellFormed() && !id.includes('\0'))
  })
})

import type { Stage, Surface } from './surface.ts'

const shown = (stage: Exclude<Stage, 'unknown'>) => ({ stage, selector: `[data-at="${stage}"]` })

/** Our own meeting page (`test/meeting-page`). */
export const pageSurface: Surface = {
  stages: [
    shown('removed'),
    shown('ended'),
    shown('denied'),
    shown('captcha'),
    shown('sign-in'),
    shown('host-token'),
    shown('not-found'),
    shown('waiting'),
    shown('meeting'),
    shown('prejoin'),
  ],
  name: '#name',
  join: '#join',
  leave: '#leave',
  chat: {
    open: '#chat-toggle[aria-expanded="false"]',
    input: '#chat-text',
    send: '#chat-send',
    message: { item: '.message', author: 'b', text: 'span' },
  },
  captions: {
    turnOn: '#captions-toggle[aria-pressed="false"]',
    line: { item: '.caption', author: 'b', text: 'span', final: '[data-final="true"]' },
  },
  people: { tile: '.person', name: '.name', speaking: '[data-speaking="true"]', self: '[data-self="true"]' },
  sound: 'audio',
  prepareLink: (link) => link,
}

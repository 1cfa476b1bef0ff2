import type { Surface } from './surface.ts'

const testId = (...ids: string[]) => ids.map((id) => `[data-testid="${id}"]`).join(', ')

/** Jitsi Meet with English labels. The ids are those by which Jitsi's own tests find their way. */
export const jitsiSurface: Surface = {
  stages: [
    { stage: 'removed', selector: testId('dialog.kickTitle', 'dialog.kickMessage') },
    { stage: 'ended', selector: testId('dialog.sessTerminated', 'dialog.sessTerminatedReason') },
    { stage: 'denied', selector: testId('lobby.joinRejectedMessage', 'lobby.joinRejectedTitle') },
    { stage: 'host-token', selector: testId('dialog.tokenAuthFailed', 'dialog.tokenAuthFailedTitle') },
    { stage: 'sign-in', selector: `${testId('dialog.WaitingForHostTitle')}, [aria-label="Log-in"]` },
    { stage: 'prejoin', selector: testId('prejoin.screen', 'lobby.knockButton') },
    { stage: 'waiting', selector: '.lobby-screen' },
    { stage: 'meeting', selector: '[aria-label="Leave the meeting"]' },
  ],
  name: `#premeeting-name-input, ${testId('lobby.nameField')}`,
  join: testId('prejoin.joinMeeting', 'lobby.knockButton'),
  leave: '[aria-label="Leave the meeting"]',
  chat: {
    open: '[aria-label="Open chat"]',
    input: '#chat-input',
    send: null,
    message: { item: '.chatmessage-wrapper', author: '.display-name', text: '.usermessage' },
  },
  captions: {
    turnOn: '[aria-label="Start / Stop subtitles"]',
    line: { item: '.transcription-subtitles p', author: null, text: 'span', final: null },
  },
  people: {
    tile: 'span.videocontainer[id^="participant_"]',
    name: '[id$="_name"]',
    speaking: '.dominant-speaker',
    self: null,
  },
  // Jitsi plays all participants from elements that do not name them.
  sound: null,
  prepareLink: (link) => {
    const [address = '', options = ''] = link.split('#')
    const own = ['config.startWithAudioMuted=true', 'config.startWithVideoMuted=true', 'config.disableDeepLinking=true']
    return `${address}#${[options, ...own].filter(Boolean).join('&')}`
  },
}

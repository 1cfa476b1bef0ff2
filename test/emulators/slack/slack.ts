import { ok, type Reply } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import type { OauthCore } from '../oauth/grant.ts'
import { secured } from '../secured.ts'
import { slackMessages } from './messages.ts'
import { botUserId, slackOauth, team } from './slack-oauth.ts'

function slackError(error: string, more: Record<string, unknown> = {}): Reply {
  return ok({ ok: false, error, ...more })
}

export function slackEmulator(world: World): Emulator {
  const api = secured(world, {
    unauthorized: slackError('invalid_auth'),
    forbidden: (needed) => slackError('missing_scope', { needed }),
  })
  const whoami = api([], (_call) =>
    ok({
      ok: true,
      url: 'https://example.slack.com/',
      team: team.name,
      user: 'atrium',
      team_id: team.id,
      user_id: botUserId,
      bot_id: 'B0BOT',
    }),
  )
  const messages = slackMessages(world, api)
  const revocation = (core: OauthCore) =>
    api([], (call) => {
      if (call.query.get('test') !== '1') core.revokeToken(call.headers.authorization?.split(' ')[1] ?? '')
      return ok({ ok: true, revoked: call.query.get('test') !== '1' })
    })
  return {
    name: 'slack',
    oauth: {
      ...slackOauth,
      routes: (core) => ({
        'GET slack.com/api/auth.revoke': revocation(core),
        'POST slack.com/api/auth.revoke': revocation(core),
      }),
    },
    routes: {
      'GET slack.com/api/auth.test': whoami,
      'POST slack.com/api/auth.test': whoami,
      ...messages.routes,
    },
    controls: messages.controls,
  }
}

import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { BotPlatform, Provider } from '../bot.rules.ts'

/** The platforms that each provider can join. */
const platformsOf: Record<Provider, readonly BotPlatform[]> = {
  push: ['zoom', 'meet', 'teams', 'jitsi', 'page', 'none'],
  replay: ['zoom', 'meet', 'teams', 'jitsi', 'page', 'none'],
  runner: ['zoom', 'meet', 'teams', 'jitsi', 'page'],
  browser: ['jitsi', 'page'],
}

/**
 * Who sends the bot. Refuses with VALIDATION_ERROR a provider that cannot join on the platform, and with NOT_CONFIGURED
 * where nothing that could is set up.
 * @param asked what the request names, or else the policy
 * @param runnerPlatforms where the runners of the tenant can join
 */
export function chooseProvider(
  asked: Provider | null,
  platform: BotPlatform,
  runnerPlatforms: readonly string[],
): Provider {
  const hasRunner = runnerPlatforms.includes(platform)
  if (asked === null) {
    if (platform === 'none') return 'replay'
    if (!hasRunner) throw notConfigured(platform)
    return platformsOf.browser.includes(platform) ? 'browser' : 'runner'
  }
  if (!platformsOf[asked].includes(platform)) throw unable(asked, platform)
  if ((asked === 'runner' || asked === 'browser') && !hasRunner) throw notConfigured(platform)
  return asked
}

function unable(provider: Provider, platform: BotPlatform): Refusal {
  const able = (Object.keys(platformsOf) as Provider[]).filter((name) => platformsOf[name].includes(platform))
  const what = platform === 'none' ? 'a meeting without a link' : `meetings on ${platform}`
  const message = `cannot be ${provider} for ${what}; these can: ${able.join(', ')}`
  return invalidField('/body/provider', { code: 'enum', message })
}

function notConfigured(platform: BotPlatform): Refusal {
  return new Refusal('NOT_CONFIGURED', {
    detail: `No runner that can join meetings on ${platform} is set up. What would help: POST /assistant/v1/bot/runners and a program that uses its token. The providers push and replay need nothing.`,
  })
}

import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { type BotPlatform, isVendor, type Provider } from '../bot.rules.ts'
import { type VendorName, vendors } from '../vendor.rules.ts'
import { vendorTable } from './vendor-table.ts'

/** The platforms that each provider can join. */
const platformsOf: Record<Provider, readonly BotPlatform[]> = {
  push: ['zoom', 'meet', 'teams', 'jitsi', 'page', 'none'],
  replay: ['zoom', 'meet', 'teams', 'jitsi', 'page', 'none'],
  runner: ['zoom', 'meet', 'teams', 'jitsi', 'page'],
  browser: ['jitsi', 'page'],
  recall: vendorTable.recall.platforms,
  attendee: vendorTable.attendee.platforms,
  vexa: vendorTable.vexa.platforms,
}

/**
 * Who sends the bot. Refuses with VALIDATION_ERROR a provider that cannot join on the platform, and with NOT_CONFIGURED
 * where nothing that could is set up.
 * @param asked what the request names, or else the policy
 * @param runnerPlatforms where the runners of the tenant can join
 * @param vendorsSetUp those that the tenant has an account at
 */
export function chooseProvider(
  asked: Provider | null,
  platform: BotPlatform,
  runnerPlatforms: readonly string[],
  vendorsSetUp: readonly VendorName[],
): Provider {
  const hasRunner = runnerPlatforms.includes(platform)
  if (asked === null) {
    if (platform === 'none') return 'replay'
    const vendor = vendors.find((name) => vendorsSetUp.includes(name) && platformsOf[name].includes(platform))
    if (!hasRunner && vendor !== undefined) return vendor
    if (!hasRunner) throw notConfigured(platform)
    return platformsOf.browser.includes(platform) ? 'browser' : 'runner'
  }
  if (!platformsOf[asked].includes(platform)) throw unable(asked, platform)
  if ((asked === 'runner' || asked === 'browser') && !hasRunner) throw notConfigured(platform)
  if (isVendor(asked) && !vendorsSetUp.includes(asked)) throw notConfigured(platform)
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
    detail: `Nothing that was asked for is set up for meetings on ${platform}. What would help: POST /assistant/v1/bot/runners and a program that uses its token, or PUT /assistant/v1/bot/vendors/:vendor with the key of an account. The providers push and replay need nothing.`,
  })
}

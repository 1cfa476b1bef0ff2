import { page } from '../../http/page.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { providers } from '../../providers/provider-table.ts'
import type { Beginning } from './authorization.store.ts'
import { isConfirmation } from './confirmation.rules.ts'

/** What somebody reads before the provider asks: who wants what, for whom. */
export function startPage({ provider, scopes, tenantName, userEmail, orgName, isBroker }: Beginning): string {
  const { title } = providers[provider]
  const owner = orgName === null ? `${userEmail} (own account)` : `the organization ${orgName}`
  const rows = scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('')
  const asked = scopes.length === 0 ? '<p>You choose at the provider what it may read.</p>' : `<ul>${rows}</ul>`
  const broker = isBroker
    ? '<p><strong>The app that requests this can read the access token and use it outside this service.</strong></p>'
    : ''
  return page(
    `Connect ${title}`,
    `<h1>Connect ${escapeHtml(title)}</h1>
<p><strong>${escapeHtml(userEmail)}</strong> of <strong>${escapeHtml(tenantName)}</strong> asks for access to an account at ${escapeHtml(title)}, for ${escapeHtml(owner)}.</p>
<p>If that is not you, close this page.</p>
<h2>What is asked for</h2>
${asked}${broker}
<form method="post"><button>Continue to ${escapeHtml(title)}</button></form>`,
  )
}

const errorTexts: Record<string, string> = {
  ACCESS_DENIED: 'The access was not allowed. Nothing was connected.',
  ADMIN_CONSENT_REQUIRED: 'An administrator of your directory has to allow this first. Nothing was connected.',
  PROVIDER_ERROR: 'The provider reported an error. Nothing was connected.',
}

/** The end of the way, where the application has no page of its own. Only texts of the right form are shown. */
export function confirmationPage({ confirmation, error }: { confirmation?: string; error?: string }): string {
  if (confirmation !== undefined && isConfirmation(confirmation))
    return page(
      'Confirm the connection',
      `<h1>Confirm the connection</h1>
<p>Enter this in the app where you started, within three minutes:</p>
<p><output id="confirmation">${confirmation}</output></p>
<p>If you did not start this, close the page. Nothing will be connected.</p>`,
    )
  const text =
    (error !== undefined && Object.hasOwn(errorTexts, error) && errorTexts[error]) || 'There is nothing here.'
  return page('Not connected', `<h1>Not connected</h1><p id="error">${text}</p>`)
}

export function refusedPage(): string {
  return page(
    'Not connected',
    `<h1>Not connected</h1>
<p>This answer does not belong to a connection that was started in this browser, or it has expired. Begin again in your app.</p>`,
  )
}

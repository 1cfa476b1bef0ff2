/** What the person does on a consent page. Without `scopes` all are granted, without `account` the first one signs in. */
export type Consent = { decision?: 'allow' | 'deny' | 'admin_consent'; account?: string; scopes?: string[] }

/**
 * Answers the consent page at this address of an emulator, as a browser does that posts its form.
 * @returns where the provider sends the browser: the redirect address with `code` or `error`.
 */
export async function consent(
  authorizeUrl: string,
  { decision = 'allow', account, scopes }: Consent = {},
): Promise<URL> {
  const form = new URLSearchParams({ decision })
  if (account !== undefined) form.set('account', account)
  for (const scope of scopes ?? []) form.append('scope', scope)
  // An empty choice: the form then has the field, but no scope of the request is in it.
  if (scopes?.length === 0) form.set('scope', '')
  const response = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the consent page answered ${response.status}: ${await response.text()}`)
  return new URL(location)
}

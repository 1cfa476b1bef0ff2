import { page } from '../../http/page.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'

export type ServiceState = 'ok' | 'draining' | 'unavailable'

/** `products` is null where the catalog cannot be read now. */
export type HomePage = {
  version: string
  state: ServiceState
  products: { name: string; tagline: string; link: string }[] | null
}

const stateTexts: Record<ServiceState, string> = {
  ok: 'running',
  draining: 'stopping: it serves the requests that it has, and takes no new clients',
  unavailable: 'not available: its database does not answer',
}

/** What somebody who opens the address in a browser needs. Programs get JSON. */
export function homePage({ version, state, products }: HomePage): string {
  const listed = (products ?? []).map(
    ({ name, tagline, link }) =>
      `<li><a href="${escapeHtml(link)}">${escapeHtml(name)}</a>: ${escapeHtml(tagline)}</li>`,
  )
  return page(
    'Atrium',
    `<h1>Atrium</h1>
<p>API version ${escapeHtml(version)}. This installation is <b>${stateTexts[state]}</b> (<a href="/health">health</a>).</p>
<h2>Documentation</h2>
<ul>
<li><a href="/docs">API reference</a>: every operation, with a form to try it</li>
<li><a href="/docs/errors">Error codes</a>: what each code means</li>
<li><a href="/openapi.json">OpenAPI document</a>: for generators and tools</li>
<li><a href="/asyncapi.json">AsyncAPI document</a>: the frames of the WebSocket</li>
</ul>
${firstSteps}
${listed.length === 0 ? '' : `<h2>Products</h2>\n<ul>\n${listed.join('\n')}\n</ul>`}
<p>Programs get the same as JSON, unless they ask for <code>text/html</code>.</p>`,
  )
}

// The address is not written in: it would have to come from the request, and answers must not depend on the caller.
const firstSteps = `<h2>First steps</h2>
<ol>
<li><p>Find the admin key. The first start prints it and keeps it in <code>data/admin-key</code>, unless <code>ADMIN_KEY</code> is set.</p>
<pre>BASE=https://address.of.this.page
ADMIN_KEY=...</pre></li>
<li><p>Create a tenant. The answer has its <code>id</code>.</p>
<pre>curl "$BASE/admin/tenants" -H "X-Admin-Key: $ADMIN_KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "Northwind", "slug": "northwind", "contactEmail": "ops@northwind.example"}'</pre></li>
<li><p>Create an API key for its apps. The key is shown only in this answer.</p>
<pre>curl "$BASE/admin/tenants/$TENANT_ID/api-keys" -H "X-Admin-Key: $ADMIN_KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "apps", "products": ["vault-vpn", "assistant-ai"]}'</pre></li>
<li><p>Register a user of the tenant. The answer has an access token for everything else.</p>
<pre>curl "$BASE/v1/auth/register" -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"email": "ada@northwind.example", "password": "three-otters-and-a-kayak"}'</pre></li>
</ol>
<p>The README of the repository continues from here: devices, licenses, meetings and webhooks.</p>`

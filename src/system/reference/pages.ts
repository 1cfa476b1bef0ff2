import { page } from '../../http/page.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { refusals } from '../../kernel/refusal.ts'

export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atrium API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>, that of the WebSocket at <a href="/asyncapi.json">/asyncapi.json</a>.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Everything that would call other hosts is off: fonts, the request proxy, telemetry, the agent. */
export const startScript = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  persistAuth: false,
})
`

/** The meaning of every error code, from the same table as the answers, with an index by status. */
export function errorsPage(): string {
  const codes = Object.entries(refusals)
  const sections = codes.map(
    ([code, [status, title, meaning]]) =>
      `<section id="${code}"><h2>${code}</h2><p><b>${status}</b> ${withoutMarks(title)}</p><p>${withoutMarks(meaning)}</p></section>`,
  )
  const byStatus = [...Map.groupBy(codes, ([, [status]]) => status)].sort(([a], [b]) => a - b)
  const index = byStatus.map(
    ([status, those]) =>
      `<li><b>${status}</b> ${those.map(([code]) => `<a class="code" href="#${code}">${code}</a>`).join(', ')}</li>`,
  )
  return page(
    'Atrium error codes',
    `<h1>Error codes</h1>
<p>Errors are <code>application/problem+json</code>. Switch on <code>code</code>; its meaning never changes. <a href="/docs">API reference</a></p>
<nav aria-label="Index by status"><ul>
${index.join('\n')}
</ul></nav>
${sections.join('\n')}`,
  )
}

function withoutMarks(text: string): string {
  return escapeHtml(text).replaceAll('`', '')
}

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
<noscript>The reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
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

/** The meaning of every error code, from the same table as the answers. */
export function errorsPage(): string {
  const sections = Object.entries(refusals).map(
    ([code, [status, title, meaning]]) =>
      `<section id="${code}"><h2>${code}</h2><p><b>${status}</b> ${escaped(title)}</p><p>${escaped(meaning)}</p></section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Atrium error codes</title>
<link rel="icon" href="data:,">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #1a1f2b; }
h2 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 2rem 0 0; }
p { margin: .25rem 0; }
:target { background: #fff5cc; }
</style>
</head>
<body>
<h1>Error codes</h1>
<p>Errors are <code>application/problem+json</code>. Switch on <code>code</code>; its meaning never changes. <a href="/docs">API reference</a></p>
${sections.join('\n')}
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
}

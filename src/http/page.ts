import { createHash } from 'node:crypto'
import { escapeHtml } from '../kernel/escape-html.ts'
import { type Answer, raw } from './answer.ts'

/** For the few pages that people open. It is inline, because a page of its own would be one more request. */
const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.75rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .4rem 0; }
ul, ol { padding-left: 1.4rem; }
li { margin: .3rem 0; }
code, .code { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .75rem 1rem; border-radius: 6px; background: color-mix(in srgb, currentColor 7%, transparent); }
section h2 { font-family: ui-monospace, monospace; font-size: 1rem; }
:target { background: color-mix(in srgb, gold 30%, transparent); }
`

/** Stricter than that of the API reference: no script at all, and no style but this one. */
const policy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')

export const htmlType = 'text/html; charset=utf-8'

/** @param body HTML whose texts are escaped. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

/** @param formAction where forms of the page may go, redirects included: a source of a content security policy. */
export function pageAnswer(html: string, formAction = "'none'"): Answer<200, string> {
  return raw(htmlType, html, { 'content-security-policy': policy(formAction) })
}

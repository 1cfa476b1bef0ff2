import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { productSlugs } from '../../kernel/products.ts'

export type SeededDoc = { slug: string; title: string; summary: string }
type SeededSection = { slug: string; title: string; docs: SeededDoc[] }

/** The docs of the built-in products after the first start. Their Markdown is in `texts/`; `npm run generate` renders it. */
export const seededSections: Record<string, SeededSection[]> = {
  [productSlugs.vpn]: [
    {
      slug: 'start',
      title: 'Start',
      docs: [
        {
          slug: 'quickstart',
          title: 'Quickstart',
          summary: 'From an API key to a running WireGuard tunnel in five calls.',
        },
      ],
    },
    {
      slug: 'guides',
      title: 'Guides',
      docs: [
        { slug: 'licenses', title: 'Licenses and validation', summary: 'Plans, keys, and what takes a use.' },
        { slug: 'devices', title: 'Devices and configurations', summary: 'Peers, keys, files and QR codes.' },
        { slug: 'sessions', title: 'Sessions and usage', summary: 'Connect, disconnect, and what is counted.' },
      ],
    },
    {
      slug: 'reference',
      title: 'Reference',
      docs: [
        {
          slug: 'errors-and-limits',
          title: 'Errors and limits',
          summary: 'The format of errors, and the limits.',
        },
      ],
    },
  ],
  [productSlugs.assistant]: [
    {
      slug: 'start',
      title: 'Start',
      docs: [
        { slug: 'overview', title: 'What works today', summary: 'The state of the beta, and what you can set up.' },
      ],
    },
  ],
  [productSlugs.editing]: [
    {
      slug: 'start',
      title: 'Start',
      docs: [
        {
          slug: 'license-validation',
          title: 'License validation',
          summary: 'Check whether a key is valid, and take a use.',
        },
      ],
    },
  ],
}

export function seededText(productSlug: string, docSlug: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'texts', productSlug, `${docSlug}.md`), 'utf8')
}

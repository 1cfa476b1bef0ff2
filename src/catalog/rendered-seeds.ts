import { readFile } from 'node:fs/promises'
import type { RenderedText } from '../kernel/markup.ts'
import { once } from '../kernel/once.ts'

/** The texts of the built-in products as HTML: descriptions by slug, docs by the slugs of product and doc (`vault-vpn/quickstart`). */
export type RenderedSeeds = { descriptions: Record<string, string>; docs: Record<string, RenderedText> }

/** `npm run generate` writes them, so that a first start does not load the Markdown renderer. */
const readSeeds = once(
  async (): Promise<RenderedSeeds> =>
    JSON.parse(await readFile(new URL('./rendered-seeds.json', import.meta.url), 'utf8')),
)

export async function seededDescription(productSlug: string): Promise<string> {
  return (await readSeeds()).descriptions[productSlug] ?? refuseMissing(productSlug)
}

export async function seededDoc(productSlug: string, docSlug: string): Promise<RenderedText> {
  const name = `${productSlug}/${docSlug}`
  return (await readSeeds()).docs[name] ?? refuseMissing(name)
}

function refuseMissing(name: string): never {
  throw new Error(`The text of ${name} is not rendered: run \`npm run generate\`.`)
}

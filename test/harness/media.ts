import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Reply, TestApp } from './app.ts'

export type SentFile = { bytes: Buffer | string; name: string; type?: string; field?: string }

/** Uploads files with text fields, as a browser does. */
export async function upload(
  app: Pick<TestApp, 'call' | 'admin'>,
  files: SentFile | SentFile[],
  fields: Record<string, string> = {},
): Promise<Reply> {
  const { headers, body } = await formOf([files].flat(), fields)
  return app.call({ method: 'POST', url: '/admin/cms/media', headers: { ...app.admin, ...headers }, body })
}

export async function formOf(files: SentFile[], fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.append(name, text)
  for (const { bytes, name, type = '', field = 'file' } of files)
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes as string))], { type }), name)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type')
  assert.ok(type)
  return { headers: { 'content-type': type }, body: Buffer.from(await encoded.arrayBuffer()) }
}

/** An image that no other test has: its pixels are noise around a colour. */
export function picture(width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png') {
  const [r = 0, g = 0, b = 0] = randomBytes(3)
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  return sharp({ create: { width, height, channels: 3, background: { r, g, b }, noise } })
    .toFormat(format)
    .toBuffer()
}

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import decodeQR, { type Image } from 'qr/decode.js'
import { qrPng, qrSvg } from './qr.ts'

type PngReader = { PNG: { sync: { read(png: Buffer): Image } } }

const config = `# Zoë's 📱 @ eu-central  config v3
[Interface]
PrivateKey = dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo=
Address = 10.64.0.2/32, fd42:1::2/128
DNS = 10.64.0.1, fd42:1::1
MTU = 1420

[Peer]
PublicKey = hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=
PresharedKey = XasIfmJKikt54X+Lg4AO5m87sSkmGLb9HC+LJ/+I4Os=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = [2001:db8::1]:51820
PersistentKeepalive = 25
`

/** Decodes as a phone does, but with time for every attempt, so that a slow machine fails no test. */
function decode(image: Image): string {
  return decodeQR(image, { timeLimit: 30_000 })
}

function readPng(png: Buffer): Image {
  // The PNG reader that qrcode itself brings.
  const { PNG }: PngReader = createRequire(import.meta.resolve('qrcode'))('pngjs')
  return PNG.sync.read(png)
}

/** Draws the black path of the SVG, four pixels a module, which is made of `M`, `m` and `h` with whole modules only. */
function drawSvg(svg: string): Image {
  const pixels = 4
  const width = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]) * pixels
  const data = new Uint8Array(width * width * 4).fill(255)
  const path = /stroke="#000000" d="([^"]+)"/.exec(svg)?.[1] ?? ''
  let [x, y] = [0, 0]
  for (const [, command, first = '', second = ''] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))]
    if (command === 'm') x += Number(first)
    if (command !== 'h') continue
    for (let row = y * pixels; row < (y + 1) * pixels; row += 1) {
      for (let column = x * pixels; column < (x + Number(first)) * pixels; column += 1) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
      }
    }
    x += Number(first)
  }
  return { width, height: width, data }
}

test('a phone that scans the SVG reads the config byte for byte', async () => {
  assert.equal(decode(drawSvg(await qrSvg(config))), config)
})

test('a phone that scans the PNG reads the config byte for byte', async () => {
  const png = await qrPng(config)
  assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG')
  assert.equal(decode(readPng(png)), config)
})

test('a config with a device name of 64 characters of four bytes still fits', async () => {
  const long = config.replace("Zoë's 📱", '📱'.repeat(64))
  assert.equal(decode(readPng(await qrPng(long))), long)
})

test('no text gets into the SVG, so none can be markup', async () => {
  const svg = await qrSvg('<script>alert(1)</script>"/>')
  assert.doesNotMatch(svg, /script|alert/)
  assert.match(svg, /^<svg [^<>]+><path [^<>]+\/><path [^<>]+\/><\/svg>\s*$/)
})

test('a text that no code can hold is rejected', async () => {
  await qrSvg('x'.repeat(2331))
  await assert.rejects(qrSvg('x'.repeat(2332)))
  await assert.rejects(qrPng('x'.repeat(2332)))
})

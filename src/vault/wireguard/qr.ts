// Level M survives the loss of 15 % of the code: enough for a screen, and a third smaller than Q.
const errorCorrectionLevel = 'M'

// Pixels per module of the PNG: a config's code becomes about 600 pixels wide.
const modulePixels = 8

/** A QR code of the text (UTF-8) as an SVG document without a fixed size. Rejects above 2331 bytes. */
export async function qrSvg(text: string): Promise<string> {
  const { toString: toText } = await import('qrcode')
  return toText(text, { type: 'svg', errorCorrectionLevel })
}

/** The same code as a PNG image. Rejects above 2331 bytes. */
export async function qrPng(text: string): Promise<Buffer> {
  const { toBuffer } = await import('qrcode')
  return toBuffer(text, { type: 'png', errorCorrectionLevel, scale: modulePixels })
}

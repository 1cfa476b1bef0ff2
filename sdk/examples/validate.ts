import { Atrium } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.BASE ?? '', apiKey: process.env.API_KEY ?? '' })

const verdict = await atrium.licenses.validate({ licenseKey: process.env.LICENSE_KEY ?? '' })
console.log(verdict.valid ? `${verdict.usesRemaining ?? 'unlimited'} uses left` : `no: ${verdict.code}`)

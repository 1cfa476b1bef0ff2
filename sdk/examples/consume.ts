import { Atrium, LicenseError } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.BASE ?? '', apiKey: process.env.API_KEY ?? '' })

try {
  const { usesRemaining } = await atrium.licenses.consume({ licenseKey: process.env.LICENSE_KEY ?? '' })
  console.log(`one use taken, ${usesRemaining ?? 'unlimited'} left`)
} catch (error) {
  if (!(error instanceof LicenseError)) throw error
  console.log(`not allowed: ${error.code}`)
}

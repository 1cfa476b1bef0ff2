import { Atrium, isCode } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.BASE ?? '', apiKey: process.env.API_KEY ?? '' })

await atrium.auth.register({ email: process.env.EMAIL ?? '', password: 'plum-Kayak-73-otter' })
const { device, config } = await atrium.devices.register({ deviceName: 'laptop', deviceType: 'LINUX', keys: 'local' })
console.log(config.match(/^PrivateKey = .*/m)?.[0])

try {
  const { session } = await atrium.vpn.connect({ deviceId: device.id, licenseKey: process.env.LICENSE_KEY ?? '' })
  console.log(session.status)
} catch (error) {
  if (!isCode(error, 'LICENSE_EXPIRED', 'LICENSE_EXHAUSTED')) throw error
  console.log('Please renew your license.')
}

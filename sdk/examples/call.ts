import { Atrium } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.BASE ?? '', timeoutMs: 10_000, retries: 4 })

const { products } = await atrium.call('listProducts', { limit: 5 }, { signal: AbortSignal.timeout(5000) })
console.log(products.length)

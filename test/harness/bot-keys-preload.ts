// Loaded before a service (`node --import`): the keys of the Bot Framework are those of a test. Nothing leaves the machine for them.
const keys = process.env['BOT_KEYS'] ?? '{"keys":[]}'
const original = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const { host, pathname } = new URL(input instanceof Request ? input.url : input)
  if (host !== 'login.botframework.com') return original(input, init)
  if (pathname.endsWith('/keys')) return new Response(keys)
  return Response.json({ issuer: 'https://api.botframework.com', jwks_uri: `https://${host}/v1/.well-known/keys` })
}

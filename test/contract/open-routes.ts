/** The routes that anybody may call. This list may only shrink, or grow in a review of its own. */
export const openRoutes = [
  'GET /',
  'GET /health',
  'GET /health/live',
  'GET /docs',
  'GET /docs/errors',
  'GET /docs/start.js',
  'GET /docs/scalar.js',
  'GET /openapi.json',
  'GET /media/:hash/:name',
  'GET /products',
  'GET /v1/products',
  'GET /products/:slug',
  'GET /v1/products/:slug',
]

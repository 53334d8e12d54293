// The reference of the API: Swagger UI on this exchange's own document. Requests that it sends are signed with the key in the
// form above it. The key is nowhere but in the two fields of this tab.
'use strict'
;(() => {
  const field = (id) => document.getElementById(id)
  const form = field('key')
  const state = field('key-state')
  const encoder = new TextEncoder()
  const bytes = (buffer) => [...new Uint8Array(buffer)]
  const hex = (buffer) => bytes(buffer).map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = (buffer) => btoa(String.fromCharCode(...bytes(buffer)))

  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  if (!crypto.subtle) state.textContent = 'This browser signs over https and on this machine only.'

  async function signature(secret, payload) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
    return base64(await crypto.subtle.sign('HMAC', key, encoder.encode(payload)))
  }

  /** Adds the public key to a request of the API, and the signature if there is a secret key. */
  async function sign(request) {
    const address = new URL(request.url, location.href)
    const isOurs = address.origin === location.origin && address.pathname.startsWith('/v1/')
    const publicKey = field('public-key').value.trim()
    const secretKey = field('secret-key').value.trim()
    if (request.loadSpec || !isOurs || !publicKey) return request
    request.headers['X-Public-Key'] = publicKey
    if (!secretKey || !crypto.subtle) return request
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hash = request.body ? hex(await crypto.subtle.digest('SHA-256', encoder.encode(request.body))) : ''
    request.headers['X-Timestamp'] = timestamp
    request.headers['X-Signature'] = await signature(
      secretKey,
      `${timestamp}.${request.method.toUpperCase()}.${address.pathname}.${hash}`,
    )
    return request
  }

  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    requestInterceptor: sign,
    // Nothing is sent to a validator elsewhere.
    validatorUrl: null,
  })
})()

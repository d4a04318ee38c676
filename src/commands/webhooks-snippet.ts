/** What a person pastes into their own receiver; nothing of it runs here. */
export const snippet = `To verify a delivery in Node, with the body as the bytes that came:

  const { createHmac, timingSafeEqual } = require('node:crypto')
  function isGenuine(headers, body) {
    const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(headers['calendly-webhook-signature'] ?? '') ?? []
    if (!v1 || Math.abs(Date.now() / 1000 - t) > 180) return false
    const expected = createHmac('sha256', process.env.WEBHOOK_SIGNING_KEY).update(t + '.').update(body).digest()
    return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
  }`

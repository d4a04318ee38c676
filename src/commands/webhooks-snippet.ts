/** What a person pastes into their own receiver; nothing of it runs here. */
export const snippet = `To verify a delivery in Node, with the body as the bytes that came:

  const { createHmac, timingSafeEqual } = require('node:crypto')
  function isGenuine(headers, body) {
    const [, t = ''] = /^t=(\\d+),/.exec(headers['calendly-webhook-signature'] ?? '') ?? []
    if (!t || Math.abs(Date.now() / 1000 - t) > 180) return false
    const expected = createHmac('sha256', process.env.WEBHOOK_SIGNING_KEY).update(t + '.').update(body).digest()
    // For a day after a change of the key there are two signatures; one that holds is enough.
    const given = headers['calendly-webhook-signature'].matchAll(/,v1=([0-9a-f]{64})/g)
    return [...given].some(([, v1]) => timingSafeEqual(expected, Buffer.from(v1, 'hex')))
  }`

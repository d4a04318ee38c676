import type { Command } from '../cli/command.ts'
import { perform, readId } from '../cli/endpoint-command.ts'
import { fieldsOf } from '../contract/shape.ts'
import { webhooks } from '../contract/webhooks.ts'
import { showInstant } from '../output/view.ts'
import { keepKey, signingKeyFlag, signingKeyOnStdin } from './signing-key.ts'
import { subscriptionView as view } from './webhooks-views.ts'

export const rotateKey: Command = {
  name: 'rotate-key',
  summary: 'Give a subscription a new signing key',
  description:
    'For a day deliveries are signed with both keys, so that the receiver can be given the new one without a delivery being refused; until then the key cannot be changed again. The new key is shown once.',
  flags: [signingKeyFlag],
  fields: fieldsOf(webhooks.rotateKey.success.record),
  writes: true,
  exits: [3, 4, 5, 6, 7, 8, 9, 10],
  examples: [
    { line: 'webhooks rotate-key 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11 --fields signing_key -o csv', why: 'A new key, made by the service' },
    { line: 'webhooks rotate-key 5f0c0b5e-9d0e-4c0e-8a52-6b3f8a0d2c11 --signing-key-stdin < new.key', why: 'A key of your own' },
  ],
  async run(given, context) {
    const input = { params: { webhook_uuid: readId(given, 'webhook_uuid') }, body: await signingKeyOnStdin(given, context) }
    const message = (_: unknown, { old_signing_key_until }: { old_signing_key_until: string }) =>
      `${keepKey}\nThe key before signs too until ${showInstant(old_signing_key_until, {}, context.look)}.`
    return perform(webhooks.rotateKey, input, { view, message }, context)
  },
}

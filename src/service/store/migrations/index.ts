import { business } from './0001-business.ts'
import { classes } from './0002-classes.ts'
import { webhooks } from './0003-webhooks.ts'
import { routingForms } from './0004-routing-forms.ts'
import { deliveries } from './0005-deliveries.ts'
import { bookings } from './0006-bookings.ts'
import { claims } from './0007-claims.ts'

/** In their order. A migration that has shipped is never changed; a new one is added. */
export const migrations = [business, classes, webhooks, routingForms, deliveries, bookings, claims]

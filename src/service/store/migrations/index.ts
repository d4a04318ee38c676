import { business } from './0001-business.ts'

/** In their order. A migration that has shipped is never changed; a new one is added. */
export const migrations = [business]

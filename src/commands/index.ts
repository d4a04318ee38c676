import type { Entry } from '../cli/command.ts'

/** Every word that can follow `bookctl`, in the order of the help. A group's file is loaded when its word is typed. */
export const entries: Entry[] = [
  { name: 'init', summary: 'Make a booking business on this machine', load: async () => (await import('./init.ts')).command },
  { name: 'customers', summary: 'Customer records', load: async () => (await import('./customers.ts')).group },
  {
    name: 'appointments',
    aliases: ['appts'],
    summary: 'Booked meetings of a customer with a staff member',
    load: async () => (await import('./appointments.ts')).group,
  },
  {
    name: 'appointment-types',
    aliases: ['types'],
    summary: 'What can be booked: name, length, who offers it',
    load: async () => (await import('./appointment-types.ts')).group,
  },
  {
    name: 'services',
    summary: 'What the business sells; groups appointment types',
    load: async () => (await import('./services.ts')).group,
  },
  { name: 'classes', summary: 'Group offerings, and the sessions they recur in', load: async () => (await import('./classes.ts')).group },
  { name: 'sessions', summary: 'Dated meetings of a class, with their seats', load: async () => (await import('./sessions.ts')).group },
  { name: 'attendees', summary: 'Who has a seat of a session, or waits for one', load: async () => (await import('./attendees.ts')).group },
  {
    name: 'staff',
    summary: 'Staff members, their hours and when they can be booked',
    load: async () => (await import('./staff.ts')).group,
  },
  {
    name: 'calendar',
    aliases: ['cal'],
    summary: 'A week of one staff member or of all, drawn',
    load: async () => (await import('./calendar.ts')).command,
  },
  { name: 'events', summary: 'Scheduled events, as webhook readers see them', load: async () => (await import('./events.ts')).group },
  { name: 'invitees', summary: 'Who booked an event, and what they answered', load: async () => (await import('./invitees.ts')).group },
  { name: 'webhooks', summary: 'Subscriptions that push events to an address', load: async () => (await import('./webhooks.ts')).group },
  {
    name: 'routing-forms',
    aliases: ['forms'],
    summary: 'Forms whose answers lead to what can be booked',
    load: async () => (await import('./routing-forms.ts')).group,
  },
  { name: 'users', summary: 'Who signs in, and with which role', load: async () => (await import('./users.ts')).group },
  {
    name: 'credentials',
    summary: 'API keys and access tokens: make, list, revoke',
    load: async () => (await import('./credentials.ts')).group,
  },
  { name: 'audit', summary: 'Who changed what, when and from where', load: async () => (await import('./audit.ts')).group },
  { name: 'me', summary: 'The user whose credential is used', load: async () => (await import('./me.ts')).command },
  { name: 'auth', summary: 'Sign in, and see which credential is used', load: async () => (await import('./auth.ts')).group },
  { name: 'profiles', summary: 'Businesses and services this machine knows', load: async () => (await import('./profiles.ts')).group },
  { name: 'config', summary: 'Settings of this machine', load: async () => (await import('./config.ts')).group },
  { name: 'api', summary: 'Any request, on either address', load: async () => (await import('./api.ts')).command },
  { name: 'serve', summary: 'The service on a port', load: async () => (await import('./serve.ts')).command },
  { name: 'commands', summary: 'Every command as data, for tools', load: async () => (await import('./commands.ts')).command },
  { name: 'completion', summary: 'Completion for a shell', load: async () => (await import('./completion.ts')).command },
  { name: 'help', summary: 'Help with a command or a topic', load: async () => (await import('./help.ts')).command },
]

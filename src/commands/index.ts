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
  { name: 'me', summary: 'The user whose credential is used', load: async () => (await import('./me.ts')).command },
  { name: 'auth', summary: 'Sign in, and see which credential is used', load: async () => (await import('./auth.ts')).group },
  { name: 'profiles', summary: 'Businesses and services this machine knows', load: async () => (await import('./profiles.ts')).group },
  { name: 'config', summary: 'Settings of this machine', load: async () => (await import('./config.ts')).group },
  { name: 'serve', summary: 'The service on a port', load: async () => (await import('./serve.ts')).command },
  { name: 'completion', summary: 'Completion for a shell', load: async () => (await import('./completion.ts')).command },
  { name: 'help', summary: 'Help with a command or a topic', load: async () => (await import('./help.ts')).command },
]

import type { Command } from '../cli/command.ts'
export const command: Command = {
  name: 'completion',
  summary: 'Completion for a shell',
  flags: [],
  exits: [],
  examples: [],
  run: async () => ({ kind: 'done' }),
}

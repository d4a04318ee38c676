import type { Command } from '../cli/command.ts'
import { isGroup } from '../cli/command.ts'
import { commandHelp, groupHelp, rootHelp } from '../cli/help.ts'
import { topics } from '../cli/topics.ts'
import { fail } from '../contract/errors.ts'

export const command: Command = {
  name: 'help',
  summary: 'Help with a command or a topic',
  positional: {
    name: 'TOPIC',
    description: `A command, or one of ${Object.keys(topics).join(', ')}`,
    required: false,
    choices: Object.keys(topics),
  },
  flags: [],
  exits: [],
  examples: [
    { line: 'help exit-codes', why: 'What each exit code means' },
    { line: 'help time', why: 'How times are read and shown' },
  ],
  async run({ id }, { entries }) {
    if (id === undefined) {
      const listed = Object.entries(topics).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
      return { kind: 'text', text: `${rootHelp(entries)}\nTopics (bookctl help TOPIC):\n${listed.join('\n')}\n` }
    }
    const topic = topics[id]
    if (topic) return { kind: 'text', text: `${topic.text()}\n` }
    const entry = entries.find(({ name, aliases = [] }) => name === id || aliases.includes(id))
    if (!entry) return fail('usage', `There is no help on ${id}. Topics: ${Object.keys(topics).join(', ')}.`)
    const loaded = await entry.load()
    return { kind: 'text', text: isGroup(loaded) ? groupHelp(loaded) : commandHelp(loaded, entry.name) }
  },
}

import type { Command } from '../cli/command.ts'
import type { Shell } from '../cli/completions.ts'
import { fail } from '../contract/errors.ts'

const shells: Shell[] = ['bash', 'zsh', 'fish', 'powershell']

const positional = { name: 'SHELL', description: `One of ${shells.join(', ')}`, required: true, choices: shells }

export const command: Command = {
  name: 'completion',
  summary: 'Completion for a shell',
  description:
    'Prints a script that lets the shell complete commands, flags and their values. The script fits this version; print it anew after an upgrade.',
  positional,
  flags: [],
  exits: [],
  examples: [
    { line: 'completion bash > ~/.local/share/bash-completion/completions/bookctl', why: 'bash, with the bash-completion package' },
    { line: 'completion zsh > ~/.zfunc/_bookctl', why: 'zsh; with fpath+=~/.zfunc before compinit in ~/.zshrc' },
    { line: 'completion fish > ~/.config/fish/completions/bookctl.fish', why: 'fish' },
    { line: 'completion powershell >> $PROFILE', why: 'PowerShell' },
  ],
  async run({ id }, { entries }) {
    const shell = shells.find((one) => one === id)
    if (!shell)
      fail(
        'usage',
        id === undefined ? `Name a shell: ${shells.join(', ')}.` : `There is no completion for ${id}; there is for ${shells.join(', ')}.`,
      )
    const { completionScript } = await import('../cli/completions.ts')
    const { loadTree } = await import('../cli/completion-tree.ts')
    return { kind: 'text', text: completionScript(shell, await loadTree(entries)) }
  },
}

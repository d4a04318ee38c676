import type { Tree } from './completion-tree.ts'
import { bashScript } from './completions-bash.ts'
import { fishScript } from './completions-fish.ts'
import { powershellScript } from './completions-powershell.ts'
import { zshScript } from './completions-zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }

export type Shell = keyof typeof scripts

/** The script that a shell reads. It never starts the tool. */
export function completionScript(shell: Shell, tree: Tree): string {
  return scripts[shell](tree)
}

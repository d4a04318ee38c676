import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Real shells that complete a line which ends at the cursor. */
export interface Completer {
  isHere: boolean
  complete(line: string): string[]
}

const isHere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** A directory of a test's own, with one file to be found in it. */
export function workplace(): string {
  const directory = mkdtempSync(join(tmpdir(), 'completion-'))
  writeFileSync(join(directory, 'customer.json'), '{}')
  return directory
}

function run(shell: string, args: string[], cwd: string, variables: Record<string, string> = {}): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, {
    cwd,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'dumb', LC_ALL: 'C.UTF-8', ...variables },
  })
  if (status !== 0 || stderr) throw new Error(`${shell} ended with ${status}: ${stderr}${stdout}`)
  return stdout.split(/\r?\n/).filter(Boolean).sort()
}

/** Words as readline parts them: at blanks, and around "=" and ":". */
const wordsOf = (line: string): string[] => [...(line.match(/[=:]+|[^\s=:]+/g) ?? []), ...(/\s$/.test(line) ? [''] : [])]

export function bash(script: string): Completer {
  const cwd = workplace()
  return {
    isHere: isHere('bash'),
    complete(line) {
      const words = wordsOf(line).map((word) => `'${word}'`)
      const driver = `${script}
[[ $(complete -p bookctl) == 'complete -F _bookctl bookctl' ]] || exit 9
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1} COMP_LINE='${line}' COMP_POINT=${line.length}
_bookctl
(( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
exit 0`
      return run('bash', ['--norc', '--noprofile', '-c', driver], cwd)
    },
  }
}

export function fish(script: string): Completer {
  const cwd = workplace()
  return {
    isHere: isHere('fish'),
    complete(line) {
      const found = run('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`], cwd)
      return found.map((hit) => hit.split('\t')[0] as string)
    },
  }
}

/** zsh completes only at a prompt: a second zsh runs on a pseudo-terminal, and says what it would have offered. */
export function zsh(script: string): Completer {
  const cwd = workplace()
  writeFileSync(join(cwd, '_bookctl'), script)
  writeFileSync(
    join(cwd, 'inner.zsh'),
    `PS1=
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -d $PWD/dump
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a __hits
  builtin compadd -A __hits "$@"
  (( $#__hits )) && print -l -- "HIT:"\${^__hits}
  builtin compadd "$@"
}
offer() { compstate[list]= compstate[insert]=; _main_complete; print -- 'THE END'; compstate[list]= compstate[insert]= }
zle -C offer complete-word offer
bindkey '^I' offer
print READY
`,
  )
  const driver = `zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'stty -echo; source ./inner.zsh'
zpty -r -m inner text '*READY*'
zpty -w -n inner "$LINE"$'\\t'
zpty -r -m inner text '*THE END*'
print -r -- $text
zpty -d inner`
  return {
    isHere: isHere('zsh'),
    complete(line) {
      const printed = run('zsh', ['-f', '-c', driver], cwd, { LINE: line })
      return [...new Set(printed.flatMap((text) => (/HIT:(.*)$/.exec(text) ?? []).slice(1)))].sort()
    },
  }
}

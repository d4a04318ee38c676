import { isCommand, type Switch, type Tree, type Verb, type Word } from './completion-tree.ts'

/** For zsh 5 and later: to be found as `_bookctl` in the function path, or sourced after compinit. */
export function zshScript({ words, globals }: Tree): string {
  return `#compdef bookctl
# zsh completion for bookctl. Generated; do not edit.

_bookctl() {
  local context curcontext=$curcontext state state_descr line ret=1
  typeset -A opt_args
  local -a globals=(
${globals.flatMap(specsOf).map(indented(4)).join('\n')}
  )

  _arguments -s -S -C $globals ':command:_bookctl_words' '*::: :->rest' && ret=0
  if [[ $state == rest ]]; then
    words=($line[1] "\${words[@]}")
    (( CURRENT += 1 ))
    curcontext="\${curcontext%:*:*}:bookctl-$line[1]:"
    case $line[1] in
${words.map(wordCase).join('\n')}
    esac
  fi
  return ret
}

_bookctl_words() {
  local -a commands=(
${words.map(described).map(indented(4)).join('\n')}
  )
  _describe -t commands 'bookctl command' commands
}

${words
  .filter((word) => !isCommand(word))
  .map(groupFunctions)
  .join('\n\n')}

if [ "$funcstack[1]" = _bookctl ]; then
  _bookctl "$@"
else
  compdef _bookctl bookctl
fi
`
}

const indented = (cells: number) => (line: string) => `${' '.repeat(cells)}${line}`

function wordCase(word: Word): string {
  const { name, aliases, verbs } = word
  const run = isCommand(word) ? argumentsOf(verbs[0] as Verb, 8) : `        _bookctl_group_${name.replaceAll('-', '_')} && ret=0`
  return `      ${[name, ...aliases].join('|')})\n${run}\n        ;;`
}

function groupFunctions({ name, verbs }: Word): string {
  const id = name.replaceAll('-', '_')
  return `_bookctl_group_${id}() {
  local line state ret=1
  _arguments -s -S -C $globals ':verb:_bookctl_verbs_${id}' '*::: :->rest' && ret=0
  if [[ $state == rest ]]; then
    words=($line[1] "\${words[@]}")
    (( CURRENT += 1 ))
    case $line[1] in
${verbs.map((verb) => `      ${[verb.name, ...verb.aliases].join('|')})\n${argumentsOf(verb, 8)}\n        ;;`).join('\n')}
    esac
  fi
  return ret
}

_bookctl_verbs_${id}() {
  local -a verbs=(
${verbs.map(described).map(indented(4)).join('\n')}
  )
  _describe -t verbs '${name} verb' verbs
}`
}

function argumentsOf({ flags, choices }: Verb, cells: number): string {
  const specs = [...flags.flatMap(specsOf), quote(choices.length > 0 ? `:argument:(${choices.join(' ')})` : ': : ')]
  return `${' '.repeat(cells)}_arguments -s -S $globals \\\n${specs.map(indented(cells + 2)).join(' \\\n')} && ret=0`
}

/** Each spelling of a flag as `_arguments` takes it; one that was typed is not offered again. */
function specsOf({ long, short, description, placeholder, choices, isFile, repeat }: Switch): string[] {
  const before = repeat ? '*' : short ? `(${short} ${long})` : ''
  const action = isFile ? '_files' : choices.length > 0 ? `(${choices.map(escaped).join(' ')})` : ' '
  const after = `[${escaped(description)}]${placeholder === undefined ? '' : `:${escaped(placeholder)}:${action}`}`
  const value = placeholder === undefined ? ['', ''] : ['=', '+']
  return [quote(`${before}${long}${value[0]}${after}`), ...(short ? [quote(`${before}${short}${value[1]}${after}`)] : [])]
}

const described = ({ name, summary }: { name: string; summary: string }): string => quote(`${name.replaceAll(':', '\\:')}:${summary}`)

const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&')

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

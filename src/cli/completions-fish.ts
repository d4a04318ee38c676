import { isCommand, type Switch, type Tree, takersOf, verbsOf } from './completion-tree.ts'

/** For fish 3 and later. Commands that share a flag share its line. */
export function fishScript(tree: Tree): string {
  const { words, globals } = tree
  const lines = [
    ...words.map(({ name, summary }) => `complete -c bookctl -n __bookctl_at -a ${name} -d ${quote(summary)}`),
    ...words
      .filter((word) => !isCommand(word))
      .flatMap(({ name, verbs }) =>
        verbs.map((verb) => `complete -c bookctl -n '__bookctl_at ${name}' -a ${verb.name} -d ${quote(verb.summary)}`),
      ),
    ...verbsOf(tree)
      .filter(({ choices }) => choices.length > 0)
      .map(({ path, choices }) => `complete -c bookctl -n ${quote(`__bookctl_at "${path}"`)} -a ${quote(choices.join(' '))}`),
    ...globals.map((flag) => `complete -c bookctl${optionOf(flag)}`),
    ...[...byFlag(tree)].map(
      ([option, paths]) => `complete -c bookctl -n ${quote(`__bookctl_at ${paths.map((path) => `"${path}"`).join(' ')}`)}${option}`,
    ),
  ]
  return `# fish completion for bookctl. Generated; do not edit.

# True when what was typed so far is one of the commands given; with none, when no command was typed yet.
function __bookctl_at
    set -l typed
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
        else if contains -- $word ${takersOf(globals).join(' ')}
            set skip yes
        else if not string match -q -- '-*' $word; and test (count $typed) -lt 2
            set -a typed $word
        end
    end
    switch "$typed[1]"
${words.flatMap(({ name, aliases }) => (aliases.length > 0 ? [`        case ${aliases.join(' ')}\n            set typed[1] ${name}`] : [])).join('\n')}
    end
    switch "$typed"
${aliasCases(tree).join('\n')}
${words
  .filter(isCommand)
  .map(({ name }) => `        case '${name} *'\n            set typed ${name}`)
  .join('\n')}
    end
    test (count $argv) -eq 0; and test (count $typed) -eq 0; and return 0
    contains -- "$typed" $argv
end

complete -c bookctl -f
${lines.join('\n')}
`
}

function aliasCases({ words }: Tree): string[] {
  return words.flatMap(({ name, verbs }) =>
    verbs
      .filter((verb) => verb.name !== '' && verb.aliases.length > 0)
      .map((verb) => `        case ${verb.aliases.map((alias) => `'${name} ${alias}'`).join(' ')}\n            set typed[2] ${verb.name}`),
  )
}

/** Each flag as fish writes it → the commands that have it. */
function byFlag(tree: Tree): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, flags } of verbsOf(tree)) {
    for (const flag of flags) {
      const option = optionOf(flag)
      found.set(option, [...(found.get(option) ?? []), path])
    }
  }
  return found
}

function optionOf({ long, short, description, placeholder, choices, isFile }: Switch): string {
  const value = placeholder === undefined ? '' : isFile ? ' -r -F' : choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : ' -x'
  return ` -l ${long.slice(2)}${short ? ` -s ${short.slice(1)}` : ''}${value} -d ${quote(description)}`
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

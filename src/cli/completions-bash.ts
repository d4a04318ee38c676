import { isCommand, type Switch, spellings, type Tree, takersOf, type Verb, verbsOf } from './completion-tree.ts'

/** For bash 3.2 and later, without the bash-completion package. */
export function bashScript(tree: Tree): string {
  const { words, globals } = tree
  return `# bash completion for bookctl. Generated; do not edit.

# The flags of a command, those that take a value, and the words its argument can be.
_bookctl_command() {
  flags='' takes='' arguments=''
  case $1 in
${verbsOf(tree).map(commandCase).join('\n')}
  esac
  flags+=' ${globals.map(({ long }) => long).join(' ')}'
  takes+=' ${takersOf(globals).join(' ')} '
}

# The words that the value of a flag can be; "/" for a file.
_bookctl_values() {
  values=''
  case $1 in
${[...verbsOf(tree).flatMap(({ path, flags }) => flags.flatMap((flag) => valueCase(`'${path} `, `'`, flag))), ...globals.flatMap((flag) => valueCase(`*' `, `'`, flag))].join('\n')}
  esac
}

# The full name of a word or of a verb.
_bookctl_name() {
  name=''
  case $1 in
${words.map(({ name, aliases }) => `    ${[name, ...aliases].join('|')}) name=${name} ;;`).join('\n')}
${words
  .filter((word) => !isCommand(word))
  .flatMap(({ name, verbs }) =>
    verbs.map((verb) => `    ${[verb.name, ...verb.aliases].map((one) => `'${name} ${one}'`).join('|')}) name=${verb.name} ;;`),
  )
  .join('\n')}
  esac
}

# The words that can follow a group.
_bookctl_verbs() {
  verbs=''
  case $1 in
    '') verbs='${words.map(({ name }) => name).join(' ')}' ;;
${words
  .filter((word) => !isCommand(word))
  .map(({ name, verbs }) => `    ${name}) verbs='${verbs.map((verb) => verb.name).join(' ')}' ;;`)
  .join('\n')}
  esac
}

_bookctl() {
  local line=\${COMP_LINE:0:COMP_POINT} cur='' group='' verb='' flag='' word name verbs values flags takes arguments
  local -a words
  read -r -a words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    cur=\${words[\${#words[@]} - 1]}
    unset "words[\${#words[@]} - 1]"
  fi
  _bookctl_command ''
  for word in "\${words[@]:1}"; do
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == --*=* ]]; then
      :
    elif [[ $word == -* ]]; then
      [[ $takes == *" $word "* ]] && flag=$word
    elif [[ -z $group ]]; then
      _bookctl_name "$word"
      [[ -z $name ]] && return
      group=$name
      _bookctl_command "$group"
    elif [[ -z $verb ]]; then
      _bookctl_name "$group $word"
      [[ -z $name ]] && return
      verb=$name
      _bookctl_command "$group $verb"
    fi
  done

  local command="$group\${verb:+ $verb}" given=$cur
  if [[ -z $flag && $cur == --*=* ]]; then
    flag=\${cur%%=*} given=\${cur#*=}
  fi
  if [[ -n $flag ]]; then
    _bookctl_values "$command $flag"
    if [[ $values == / ]]; then
      compopt -o filenames 2> /dev/null
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$given"))
      return
    fi
  elif [[ $cur == -* ]]; then
    values=$flags
  else
    _bookctl_verbs "$group"
    values=$arguments
    [[ -z $verb ]] && values+=" $verbs"
  fi
  COMPREPLY=($(compgen -W "$values" -- "$given"))

  # bash takes a word to begin behind the last "=" or ":", and replaces only what is behind it.
  local last=\${COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:] ]] && last=''
  local before=\${given%"$last"}
  [[ $given == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"$before"}")
  [[ $given != "$cur" && $COMP_WORDBREAKS != *=* ]] && COMPREPLY=("\${COMPREPLY[@]/#/$flag=}")
  return 0
}

complete -F _bookctl bookctl
`
}

function commandCase({ path, flags, choices }: Verb): string {
  const takes = takersOf(flags)
  const parts = [
    ...(flags.length > 0 ? [`flags='${flags.map(({ long }) => long).join(' ')}'`] : []),
    ...(takes.length > 0 ? [`takes=' ${takes.join(' ')}'`] : []),
    ...(choices.length > 0 ? [`arguments='${choices.join(' ')}'`] : []),
  ]
  return `    '${path}') ${parts.join(' ')} ;;`
}

function valueCase(before: string, after: string, flag: Switch): string[] {
  const values = flag.isFile ? '/' : flag.choices.join(' ')
  return values === ''
    ? []
    : [
        `    ${spellings(flag)
          .map((one) => `${before}${one}${after}`)
          .join('|')}) values='${values}' ;;`,
      ]
}

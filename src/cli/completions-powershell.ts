import { isCommand, type Switch, spellings, type Tree, takersOf, verbsOf } from './completion-tree.ts'

/** For Windows PowerShell 5.1 and PowerShell 7. Where there is nothing to offer, PowerShell offers files by itself. */
export function powershellScript(tree: Tree): string {
  const { words, globals } = tree
  const groups = words.filter((word) => !isCommand(word))
  const valued = [...verbsOf(tree).flatMap(({ path, flags }) => valuesOf(`${path} `, flags)), ...valuesOf('', globals)]
  return `# PowerShell completion for bookctl. Generated; do not edit.

Register-ArgumentCompleter -Native -CommandName bookctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # What can follow a word: name, description.
  $verbs = @{
    '' = @(
${words.map(pair(6)).join('\n')}
    )
${groups.map(({ name, verbs }) => `    ${quote(name)} = @(\n${verbs.map(pair(6)).join('\n')}\n    )`).join('\n')}
  }
  $flags = @{
${verbsOf(tree)
  .map(({ path, flags }) => `    ${quote(path)} = @(\n${flags.map(flagPair).join('\n')}\n    )`)
  .join('\n')}
  }
  $globals = @(
${globals.map(flagPair).join('\n')}
  )
  $values = @{
${valued.map(([key, choices]) => `    ${quote(key)} = ${list(choices)}`).join('\n')}
  }
  $arguments = @{
${verbsOf(tree)
  .filter(({ choices }) => choices.length > 0)
  .map(({ path, choices }) => `    ${quote(path)} = ${list(choices)}`)
  .join('\n')}
  }
  $takes = @{
${verbsOf(tree)
  .filter(({ flags }) => takersOf(flags).length > 0)
  .map(({ path, flags }) => `    ${quote(path)} = ${list(takersOf(flags))}`)
  .join('\n')}
  }
  $takesGlobal = ${list(takersOf(globals))}
  $aliases = @{
${[
  ...words.flatMap(({ name, aliases }) => aliases.map((alias) => `    ${quote(alias)} = ${quote(name)}`)),
  ...groups.flatMap(({ name, verbs }) =>
    verbs.flatMap((verb) => verb.aliases.map((alias) => `    ${quote(`${name} ${alias}`)} = ${quote(verb.path)}`)),
  ),
].join('\n')}
  }

  $command = ''
  $flag = ''
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1)
  foreach ($element in $before) {
    $word = $element.ToString()
    if ($flag) { $flag = ''; continue }
    if ($word -like '-*') {
      if ($takesGlobal -ccontains $word -or $takes[$command] -ccontains $word) { $flag = $word }
      continue
    }
    if ($flags.ContainsKey($command)) { continue }
    $command = "$command $word".Trim()
    if ($aliases.ContainsKey($command)) { $command = $aliases[$command] }
  }

  $prefix = ''
  $given = $wordToComplete
  if (-not $flag -and $wordToComplete -match '^(--[^=]+)=(.*)$') {
    $flag = $Matches[1]
    $given = $Matches[2]
    $prefix = "$flag="
  }
  if ($flag) {
    $found = $values["$command $flag"]
    if (-not $found) { $found = $values[$flag] }
    $offered = @($found | Where-Object { $_ } | ForEach-Object { , @($_, $_) })
  } elseif ($wordToComplete -like '-*') {
    $offered = @($flags[$command]) + $globals
  } elseif ($arguments.ContainsKey($command)) {
    $offered = @($arguments[$command] | ForEach-Object { , @($_, $_) })
  } else {
    $offered = @($verbs[$command])
  }
  $offered | Where-Object { $_ -and $_[0].StartsWith($given) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$prefix$($_[0])", $_[0], 'ParameterValue', $_[1])
  }
}
`
}

/** One row of an array of arrays. The comma keeps an array of one row from being taken apart. */
const row = (cells: number, name: string, text: string): string => `${' '.repeat(cells)}, @(${quote(name)}, ${quote(text || name)})`

const pair =
  (cells: number) =>
  ({ name, summary }: { name: string; summary: string }) =>
    row(cells, name, summary)

const flagPair = ({ long, description }: Switch): string => row(6, long, description)

const valuesOf = (before: string, flags: Switch[]): [string, string[]][] =>
  flags.flatMap((flag) =>
    flag.choices.length > 0 ? spellings(flag).map((one): [string, string[]] => [`${before}${one}`, flag.choices]) : [],
  )

const list = (words: string[]): string => `@(${words.map(quote).join(', ')})`

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

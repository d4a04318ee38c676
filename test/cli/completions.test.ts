import { describe, expect, test } from 'vitest'
import { loadTree, verbsOf } from '../../src/cli/completion-tree.ts'
import { completionScript } from '../../src/cli/completions.ts'
import { entries } from '../../src/commands/index.ts'
import { bash, type Completer, fish, zsh } from './shells.ts'

const tree = await loadTree(entries)
const groups = entries.map(({ name }) => name).sort()
const formats = ['csv', 'ids', 'json', 'ndjson', 'table']

const shells: Record<string, Completer> = {
  bash: bash(completionScript('bash', tree)),
  zsh: zsh(completionScript('zsh', tree)),
  fish: fish(completionScript('fish', tree)),
}

for (const [shell, { isHere, complete }] of Object.entries(shells)) {
  describe.skipIf(!isHere)(isHere ? shell : `${shell.toUpperCase()} IS NOT INSTALLED, SO ITS COMPLETION IS NOT TESTED`, () => {
    test('offers every command, and those that begin as typed', () => {
      expect(complete('bookctl ')).toEqual(groups)
      expect(complete('bookctl cust')).toEqual(['customers'])
    })

    test('offers the verbs of a group, behind its other name and behind global flags too', () => {
      expect(complete('bookctl customers l')).toEqual(['list'])
      expect(complete('bookctl appts resch')).toEqual(['reschedule'])
      expect(complete('bookctl --profile shop -v staff ')).toContain('hours')
    })

    test('offers the flags of the command that was typed, and of no other', () => {
      const flags = complete('bookctl customers list --')
      expect(flags).toEqual(expect.arrayContaining(['--search', '--deleted', '--limit', '--output', '--profile']))
      expect(flags.filter((flag) => ['--notes', '--soft-delete', '--yes', '--start'].includes(flag))).toEqual([])
      expect(complete('bookctl customers ls --sea')).toEqual(['--search'])
      expect(complete('bookctl calendar --we')).toEqual(['--week'])
      expect(complete('bookctl services update 3 --no-a')).toContain('--no-active')
    })

    test('offers the values of a flag', () => {
      expect(complete('bookctl customers list --output ')).toEqual(formats)
      expect(complete('bookctl customers list -o nd')).toEqual(['ndjson'])
      expect(complete('bookctl appointments list --status ')).toEqual(['canceled', 'completed', 'no_show', 'scheduled'])
      expect(complete('bookctl me --output j').at(-1)).toBe('json')
    })

    test('offers values behind an equals sign, and values that hold a colon', () => {
      expect(complete('bookctl customers list --output=nd').map((value) => value.replace('--output=', ''))).toEqual(['ndjson'])
      const sorts = complete('bookctl customers list --sort created_at:')
      expect(sorts.map((value) => value.replace('created_at:', ''))).toEqual(['asc', 'desc'])
    })

    test('offers files where a file is wanted, and none elsewhere', () => {
      expect(complete('bookctl customers create --input-json cust')).toEqual(['customer.json'])
      expect(complete('bookctl customers list --search cust')).toEqual([])
      expect(complete('bookctl customers get cust')).toEqual([])
    })

    test('offers the words that an argument can be', () => {
      expect(complete('bookctl completion ')).toEqual(['bash', 'fish', 'powershell', 'zsh'])
    })

    test('does not take a value for a command', () => {
      expect(complete('bookctl customers list --search "a b" --dele')).toEqual(['--deleted'])
      expect(complete('bookctl --output json customers l')).toEqual(['list'])
      expect(complete('bookctl nothing ')).toEqual([])
    })
  })
}

describe('powershell', () => {
  const script = completionScript('powershell', tree)

  test('its brackets and quotes are balanced', () => {
    const bare = script
      .split('\n')
      .map((line) => line.replace(/^\s*#.*/, '').replace(/'(?:[^']|'')*'/g, ''))
      .join('\n')
    expect(bare).not.toContain("'")
    const open: string[] = []
    for (const [bracket] of bare.matchAll(/[(){}[\]]/g)) {
      if ('({['.includes(bracket)) open.push(bracket)
      else expect(`${open.pop()}${bracket}`).toMatch(/^(\(\)|\{\}|\[\])$/)
    }
    expect(open).toEqual([])
  })

  test('holds every command, flag and value', () => {
    for (const { path, flags } of verbsOf(tree)) {
      expect(script).toContain(`'${path}' = @(`)
      for (const { long } of flags) expect(script).toContain(`, @('${long}', `)
    }
    expect(script).toContain("'customers list --deleted' = @('true', 'false', 'any')")
    expect(script).toContain("'--output' = @('table', 'json', 'ndjson', 'csv', 'ids')")
  })
})

test('a script never starts the tool', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'] as const)
    expect(completionScript(shell, tree)).not.toMatch(/\$\((?:command )?bookctl|& bookctl/)
})

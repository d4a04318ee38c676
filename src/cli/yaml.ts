/** HOME of yaml: text → values that know their lines. JSON is YAML too. */
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { fail } from '../contract/errors.ts'

/** A value of a file, and the line it begins on, 1 for the first. */
export type Located =
  | { kind: 'scalar'; line: number; value: unknown }
  | { kind: 'list'; line: number; items: Located[] }
  | { kind: 'map'; line: number; entries: LocatedEntry[] }

export interface LocatedEntry {
  key: string
  line: number
  value: Located
}

/** More than anybody writes by hand; aliases of aliases, and one that holds itself, would be more without end. */
const MOST_VALUES = 10_000
const MOST_LEVELS = 100

/**
 * Reads one YAML document; anchors may be used.
 * @param name of the file, for messages
 * @throws AppError `usage` with a detail for each fault, such as `webhooks.yaml:4`
 */
export function parseYaml(text: string, name: string): Located {
  if (isDeep(text)) fail('usage', tooDeep(name))
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  if (document.errors.length > 0) {
    const details = document.errors.map(({ pos, message }) => ({
      parameter: `${name}:${lines.linePos(pos[0]).line}`,
      message: `${message.replace(/[.:]?\s*$/, '')}.`,
    }))
    fail('usage', `${name} is not YAML. Nothing was sent.`, { details })
  }
  return located(document, lines, name)
}

const tooDeep = (name: string): string => `${name} is nested more than ${MOST_LEVELS} levels deep. Nothing was sent.`

/**
 * Whether a text is nested deeper than whoever parses it has a stack for, which can end the process. Roughly, since it is not parsed
 * yet: by brackets that stay open, and by how far lines are indented; the levels themselves are counted later.
 */
function isDeep(text: string): boolean {
  if (/^[ \t?-]{400}/m.test(text)) return true
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (open > 2 * MOST_LEVELS) return true
  }
  return false
}

function located(document: Document.Parsed, lines: LineCounter, name: string): Located {
  const targets = targetsIn(document)
  let counted = 0
  const lineOf = (node: unknown, otherwise: number): number => {
    const start = (node as { range?: [number, number, number] | null } | null)?.range?.[0]
    return start === undefined ? otherwise : lines.linePos(start).line
  }
  const read = (given: unknown, otherwise: number, level: number): Located => {
    counted += 1
    if (counted > MOST_VALUES) fail('usage', `${name} holds more than ${MOST_VALUES} values. Nothing was sent.`)
    if (level > MOST_LEVELS) fail('usage', tooDeep(name))
    const line = lineOf(given, otherwise)
    const node = isAlias(given) ? targets.get(given) : given
    if (isSeq(node)) return { kind: 'list', line, items: node.items.map((item) => read(item, line, level + 1)) }
    if (!isMap(node)) return { kind: 'scalar', line, value: isScalar(node) ? node.value : null }
    const entries = node.items.map(({ key, value }) => {
      const at = lineOf(key, line)
      return { key: isScalar(key) ? String(key.value) : '', line: at, value: read(value, at, level + 1) }
    })
    return { kind: 'map', line, entries }
  }
  return read(document.contents, 1, 1)
}

/** What each alias stands for: the last node before it with that anchor. Found in one walk, however many there are. */
function targetsIn(document: Document.Parsed): Map<Alias, Node | undefined> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node | undefined>()
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) targets.set(node, anchors.get(node.source))
      else if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return targets
}

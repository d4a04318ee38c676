import Table from 'cli-table3'
import { cellsOf, fitted, padded } from './cells.ts'
import { GAP, LEAST, layout } from './columns.ts'
import { columnsFor, titleOf } from './fields.ts'
import type { Paint } from './paint.ts'
import { type Column, type Look, safe, shown, type View, valueAt } from './view.ts'

type Row = Record<string, unknown>
type Tint = ReturnType<NonNullable<Column['tint']>>

interface Cell {
  text: string
  tint: Tint
}

/** Rows under a header, or cards when they do not fit; each line ended, without spaces at its end. At least one row. */
export async function renderTable(rows: Row[], view: View, look: Look): Promise<string> {
  const columns = look.fields ? columnsFor(look.fields, view) : view.columns.filter((column) => isTelling(column, rows))
  const titles = columns.map((column) => safe(column.title))
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row, look)))
  const paint = await paintFor(look)
  const extents = columns.map((column, index) => ({
    index,
    weight: column.weight ?? index,
    natural: longest(index, titles, cells),
  }))
  const widths = layout(extents, look.width, !look.fields)
  if (!widths) return cells.map((row) => labelled(titles, row, paint)).join('\n')
  const header = titles.map((text) => ({ text, tint: undefined }))
  return drawn([header, ...cells], [...widths], paint, (rowIndex) => rowIndex === 0)
}

/** A column that is empty in every row says nothing; the ids stay. */
const isTelling = ({ field, weight, show }: Column, rows: Row[]): boolean =>
  weight === 0 || show !== undefined || rows.some((row) => ![null, undefined, ''].includes(valueAt(row, field) as null))

/** Fields of one record below each other: their titles, then their values, which are never cut. */
export async function renderCard(record: Row, fields: string[], view: View, look: Look): Promise<string> {
  const columns = fields.map((field) => view.columns.find((column) => column.field === field) ?? { field, title: titleOf(field) })
  const titles = columns.map((column) => safe(column.title))
  const cells = columns.map((column) => cellOf(column, record, look))
  const paint = await paintFor(look)
  const width = Math.max(0, ...titles.map(cellsOf))
  if (width + GAP + LEAST > look.width) return labelled(titles, cells, paint)
  const pairs = cells.map((cell, index) => [{ text: titles[index]!, tint: undefined }, orDash(cell)])
  return drawn(
    pairs,
    [
      [0, width],
      [1, Infinity],
    ],
    paint,
    (_row, column) => column === 0,
  )
}

function cellOf(column: Column, row: Row, look: Look): Cell {
  const value = valueAt(row, column.field)
  return { text: column.show ? safe(column.show(value, row, look)) : shown(value, look), tint: column.tint?.(value) }
}

const longest = (index: number, titles: string[], cells: Cell[][]) =>
  cells.reduce((most, row) => Math.max(most, cellsOf(row[index]!.text)), cellsOf(titles[index]!))

/** `widths` pairs the index of a cell with its width; the last one is not padded. */
function drawn(
  rows: Cell[][],
  widths: [number, number][],
  paint: Paint | undefined,
  isTitle: (row: number, column: number) => boolean,
): string {
  const parts = frame(widths.length)
  const lines = rows.map((row, rowIndex) => {
    let line = parts[0]!
    widths.forEach(([index, width], place) => {
      const cell = row[index]!
      const text = fitted(cell.text, width)
      const space = place === widths.length - 1 ? '' : padded(text, width).slice(text.length)
      line += painted(text, isTitle(rowIndex, index) ? 'title' : cell.tint, paint) + space + parts[place + 1]!
    })
    return `${line.replace(/ +$/, '')}\n`
  })
  return lines.join('')
}

const BORDERS = 'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
const chars = { ...Object.fromEntries(BORDERS.split(' ').map((name) => [name, ''])), middle: ' '.repeat(GAP) }

/**
 * What cli-table3 draws before, between and after the cells of a row. It lays out one row of stand-ins and every row is poured into
 * that: its own layout takes the square of the rows (130 ms for 200), and it measures cells with an older string-width, so that wide
 * characters would not align. A stand-in is an escape sequence, which has no width, so that nothing is measured at all.
 */
function frame(columns: number): string[] {
  const table = new Table({ chars, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 } })
  table.push(Array.from({ length: columns }, () => '\x1b[9;9m'))
  return table.toString().split('\x1b[9;9m ')
}

/** `Title: value` on a line each. */
const labelled = (titles: string[], cells: Cell[], paint: Paint | undefined) =>
  cells.map((cell, index) => `${painted(`${titles[index]}:`, 'title', paint)} ${painted(orDash(cell).text, cell.tint, paint)}\n`).join('')

const orDash = (cell: Cell): Cell => (cell.text === '' ? { ...cell, text: '-' } : cell)
const painted = (text: string, tint: Tint | 'title', paint: Paint | undefined) => (paint && tint && text ? paint[tint](text) : text)
const paintFor = async (look: Look) => (look.color ? (await import('./paint.ts')).paint : undefined)

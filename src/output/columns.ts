/** Two spaces part the columns of a table. */
export const GAP = 2
/** Below this a cell says nothing any more. */
export const LEAST = 8
/** What a column would like to have before another is dropped for it. */
const COMFORT = 20

/** A column as the layout sees it: its place, its weight (0: neither dropped nor cut) and the cells of its longest text. */
export interface Extent {
  index: number
  weight: number
  natural: number
}

/**
 * Which columns a table of `width` cells shows, and how wide: the highest weights go first, as long as more than the ids and two
 * others are left; then the longest are cut.
 * @returns `undefined` when that is not enough: draw cards.
 */
export function layout(columns: Extent[], width: number, mayDrop: boolean): Map<number, number> | undefined {
  let kept = columns
  while (mayDrop && total(kept, COMFORT) > width) {
    const losers = kept.filter((column) => column.weight > 0)
    if (losers.length <= 2) break
    const heaviest = losers.reduce((worst, column) => (column.weight >= worst.weight ? column : worst))
    kept = kept.filter((column) => column !== heaviest)
  }
  if (total(kept, LEAST) > width) return undefined
  return grown(kept, width)
}

const atMost = (column: Extent, cells: number) => (column.weight === 0 ? column.natural : Math.min(column.natural, cells))
const total = (columns: Extent[], cells: number) => columns.reduce((sum, column) => sum + atMost(column, cells), GAP * (columns.length - 1))

/** Raises the common limit as far as there is room: short columns are whole, the long ones share the rest. */
function grown(columns: Extent[], width: number): Map<number, number> {
  const longest = Math.max(...columns.map((column) => column.natural))
  let limit = LEAST
  while (limit < longest && total(columns, limit + 1) <= width) limit++
  const widths = new Map(columns.map((column) => [column.index, atMost(column, limit)]))
  let rest = width - total(columns, limit)
  for (const column of columns) {
    if (rest <= 0 || column.natural <= widths.get(column.index)!) continue
    widths.set(column.index, widths.get(column.index)! + 1)
    rest--
  }
  return widths
}

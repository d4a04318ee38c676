/** HOME of fast-string-width. */
import widthOf from 'fast-string-width'

/** How many cells of a terminal a text takes, which are neither characters nor bytes: CJK and emoji take two, combining marks none. */
export const cellsOf = (text: string): number => widthOf(text)

/** Text on exactly `cells` cells when it is not longer: spaces at its end. */
export function padded(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)))
}

/** Text on at most `cells` cells, which ends in `…` when something was cut off. */
export function fitted(text: string, cells: number): string {
  return cellsOf(text) <= cells ? text : `${cut(text, cells - 1)}…`
}

/** The longest beginning, in whole graphemes, of at most `cells` cells. */
function cut(text: string, cells: number): string {
  let kept = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += cellsOf(segment)
    if (used > cells) break
    kept += segment
  }
  return kept
}

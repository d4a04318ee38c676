/** Measures text in cells of a terminal, which are neither characters nor bytes. */
export interface Measure {
  width(text: string): number
  /** The longest beginning, in whole graphemes, of at most `cells` cells. */
  cut(text: string, cells: number): string
}

/** Text of which each UTF-16 unit is one cell: Latin, Greek and Cyrillic letters, and the dashes and quotes of prose. */
const NARROW = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u2010-\u2016\u2018-\u2027]*$/

const narrow: Measure = { width: (text) => text.length, cut: (text, cells) => text.slice(0, cells) }

/** string-width takes 70 ms to load (its regular expression of all emoji), so it is asked only where it is needed. */
export async function measureFor(texts: string[]): Promise<Measure> {
  return texts.every((text) => NARROW.test(text)) ? narrow : (await import('./wide.ts')).wide
}

/** Text on exactly `cells` cells when it is not longer: spaces at its end. */
export function padded(text: string, cells: number, measure: Measure): string {
  return text + ' '.repeat(Math.max(0, cells - measure.width(text)))
}

/** Text on at most `cells` cells, which ends in `…` when something was cut off. */
export function fitted(text: string, cells: number, measure: Measure): string {
  return measure.width(text) <= cells ? text : `${measure.cut(text, cells - 1)}…`
}

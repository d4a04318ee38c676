/** Measures text in cells of a terminal, which are neither characters nor bytes. */
export interface Measure {
  width(text: string): number
  /** The longest beginning, in whole graphemes, of at most `cells` cells. */
  cut(text: string, cells: number): string
}

/** Characters that stand alone, on one cell: Latin, Greek, Cyrillic, Hebrew and Arabic letters, the dashes and quotes of prose. */
const ONE =
  '\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0482\\u05d0-\\u05ea\\u0620-\\u064a\\u1e00-\\u1eff\\u2010-\\u2027\\u20ac'
/** Those on two: Chinese, Japanese and Korean, and full-width forms. */
const TWO = '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60'
const wide = new RegExp(`[${TWO}]`)
const allWide = new RegExp(`[${TWO}]`, 'g')
const allSimple = new RegExp(`^[${ONE}${TWO}]*$`)

/** True where `simple` measures a text exactly. */
export const isSimple = (text: string): boolean => allSimple.test(text)

export const simple: Measure = {
  width: (text) => text.length + (wide.test(text) ? text.match(allWide)!.length : 0),
  cut(text, cells) {
    let end = 0
    for (let used = 0; end < text.length; end++) {
      used += wide.test(text[end]!) ? 2 : 1
      if (used > cells) break
    }
    return text.slice(0, end)
  },
}

/** string-width takes 100 to 200 ms before its first answer (the regular expression of all emoji): asked only where it is needed. */
export async function measureFor(texts: string[]): Promise<Measure> {
  return texts.every(isSimple) ? simple : (await import('./wide.ts')).exact
}

/** Text on exactly `cells` cells when it is not longer: spaces at its end. */
export function padded(text: string, cells: number, measure: Measure): string {
  return text + ' '.repeat(Math.max(0, cells - measure.width(text)))
}

/** Text on at most `cells` cells, which ends in `…` when something was cut off. */
export function fitted(text: string, cells: number, measure: Measure): string {
  return measure.width(text) <= cells ? text : `${measure.cut(text, cells - 1)}…`
}

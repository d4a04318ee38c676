import stringWidth from 'string-width'
import type { Measure } from './cells.ts'

/** HOME of string-width: exact for every script, emoji and combining mark. */
export const exact: Measure = {
  width: stringWidth,
  cut(text, cells) {
    const graphemes = new Intl.Segmenter().segment(text)
    let kept = ''
    let used = 0
    for (const { segment } of graphemes) {
      used += stringWidth(segment)
      if (used > cells) break
      kept += segment
    }
    return kept
  },
}

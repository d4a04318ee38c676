/** HOME of leven. */
import leven from 'leven'

/** The known word that a mistyped one was probably meant to be. */
export function nearest(word: string, known: string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, distance: leven(word.toLowerCase(), candidate.toLowerCase()) }))
  const [best] = ranked.sort((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}

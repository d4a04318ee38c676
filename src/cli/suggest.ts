/** HOME of leven. */
import leven from 'leven'
import { fail } from '../contract/errors.ts'

/** The known word that a mistyped one was probably meant to be. */
export function nearest(word: string, known: string[]): string | undefined {
  const ranked = known.map((candidate) => ({ candidate, distance: leven(word.toLowerCase(), candidate.toLowerCase()) }))
  const [best] = ranked.sort((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}

/** @throws AppError `usage`: there is no such command or flag; the nearest that there is */
export function failUnknown(what: string, word: string, known: string[], help: string): never {
  const near = nearest(word, known)
  const hints = [{ command: help, why: what === 'flag' ? 'shows its flags' : 'shows the commands there are' }]
  fail('usage', `There is no ${what} ${word}.${near ? ` Did you mean ${near}?` : ''}`, { hints })
}

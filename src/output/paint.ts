import { Chalk } from 'chalk'

const chalk = new Chalk({ level: 1 })

/** HOME of chalk, loaded only where colour is wanted. */
export const paint = { green: chalk.green, red: chalk.red, yellow: chalk.yellow, dim: chalk.dim, title: chalk.bold }
export type Paint = typeof paint

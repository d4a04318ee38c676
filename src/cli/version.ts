declare const BOOKCTL_VERSION: string | undefined

/** Written in by the build; `dev` when run from the sources. */
export const VERSION: string = typeof BOOKCTL_VERSION === 'string' ? BOOKCTL_VERSION : 'dev'

/** What we call ourselves to whom we send requests. */
export const userAgent = `bookctl/${VERSION}`

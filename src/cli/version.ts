declare const BOOKCTL_VERSION: string | undefined

/** Written in by the build; `dev` when run from the sources. */
export const VERSION: string = typeof BOOKCTL_VERSION === 'string' ? BOOKCTL_VERSION : 'dev'

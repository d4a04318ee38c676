/** Things that happen, for one reader who takes them one after the other. */
export interface Feed<T> {
  push(item: T): void
  /** What was pushed before is still read, and then the error thrown, where there is one. */
  end(error?: unknown): void
  items: AsyncIterable<T>
}

export function createFeed<T>(): Feed<T> {
  const waiting: T[] = []
  let end: { error: unknown } | undefined
  let wake = () => {}

  async function* items(): AsyncGenerator<T> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as T
      if (end?.error !== undefined) throw end.error
      if (end) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    items: items(),
    push(item) {
      waiting.push(item)
      wake()
    },
    end(error) {
      end ??= { error }
      wake()
    },
  }
}

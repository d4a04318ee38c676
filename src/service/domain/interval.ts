/** A stretch of time, in milliseconds since the epoch. Half open: `from` belongs to it, `to` does not. */
export interface Interval {
  from: number
  to: number
}

/** Ascending, with those that overlap or touch made one, and empty ones left out. */
export function merge(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const { from, to } of intervals.filter((one) => one.from < one.to).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** What is left of `intervals` outside `holes`; both come from `merge`, and so does the result. */
export function subtract(intervals: readonly Interval[], holes: readonly Interval[]): Interval[] {
  const left: Interval[] = []
  let next = 0
  for (const { from, to } of intervals) {
    while (next < holes.length && holes[next]!.to <= from) next++
    let begin = from
    for (let index = next; index < holes.length && holes[index]!.from < to; index++) {
      const hole = holes[index]!
      if (begin < hole.from) left.push({ from: begin, to: hole.from })
      begin = hole.to
    }
    if (begin < to) left.push({ from: begin, to })
  }
  return left
}

/** Of ascending, disjoint intervals, the last one that begins at or before a moment. */
export function lastBegun<T extends Interval>(intervals: readonly T[], moment: number): T | undefined {
  let low = 0
  let high = intervals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (intervals[middle]!.from <= moment) low = middle + 1
    else high = middle
  }
  return intervals[low - 1]
}

/** Whether one of merged intervals holds the whole stretch. */
export function holds(merged: readonly Interval[], { from, to }: Interval): boolean {
  const found = lastBegun(merged, from)
  return found !== undefined && to <= found.to
}

/** Whether one of merged intervals shares a moment with the stretch. */
export function touches(merged: readonly Interval[], { from, to }: Interval): boolean {
  const found = lastBegun(merged, to - 1)
  return found !== undefined && from < found.to
}

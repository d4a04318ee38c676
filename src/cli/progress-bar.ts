/** HOME of cli-progress. */
import { Presets, SingleBar } from 'cli-progress'
import type { Env } from './env.ts'
import type { Progress } from './progress.ts'

/** A bar on stderr that is drawn over and over, and gone at the end. */
export function openBar(total: number, what: string, { stderr, now }: Env): Progress {
  const start = now()
  const bar = new SingleBar(
    {
      stream: stderr.stream as NodeJS.WriteStream,
      format: `{bar} {value} of {total} ${what}  {rate} a second, {eta_formatted} left`,
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      // Signals are the frame's.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0, { rate: 0 })
  return {
    async at(done) {
      const seconds = Math.max(0.001, (now() - start) / 1000)
      bar.update(done, { rate: Math.round((done / seconds) * 10) / 10 })
    },
    end: () => bar.stop(),
  }
}

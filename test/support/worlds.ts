import { afterEach } from 'vitest'
import type { TestEngine } from './engines.ts'
import { createServiceWorld, type ServiceWorld, type WorldOptions } from './service.ts'

/** Makes worlds for the tests of one `describe`, and closes them behind each test. */
export function worldsOn(engine: TestEngine): (options?: WorldOptions) => Promise<ServiceWorld> {
  const worlds: ServiceWorld[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })
  return async (options) => {
    const world = await createServiceWorld(engine, options)
    worlds.push(world)
    return world
  }
}

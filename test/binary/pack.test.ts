import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createHomes, PATIENCE } from '../support/binary.ts'

const homes = createHomes()
const repository = resolve(__dirname, '../..')

function npm(args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd })
  expect(status, `npm ${args.join(' ')}: ${stdout}${stderr}`).toBe(0)
}

test(
  'what npm packs can be installed without scripts, and works in an empty home',
  async () => {
    const folder = join(homes.root, 'pack')
    const prefix = join(folder, 'prefix')
    mkdirSync(prefix, { recursive: true })
    npm(['pack', '--pack-destination', folder], repository)
    const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    npm(['install', '--global', '--prefix', prefix, join(folder, tarball as string)], folder)

    const home = homes.empty()
    // Found by its name alone, as a person would type it.
    const env = { PATH: `${join(prefix, 'bin')}:${home.variables.PATH}`, XDG_CACHE_HOME: undefined }
    const shell = (line: string) => home.shell(`unset -f bookctl; ${line}`, { env })
    expect(await shell('bookctl --version')).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(await shell('bookctl init --sample')).toMatchObject({ exit: 0 })
    const { exit, stdout, stderr } = await shell('bookctl appointments list --limit 5')
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect(JSON.parse(stdout).collection).toHaveLength(5)
    expect((await shell('bookctl calendar -o table')).exit).toBe(0)

    const installed = join(prefix, 'lib', 'node_modules', 'bookctl')
    expect(existsSync(join(installed, 'dist', 'LICENSES.txt'))).toBe(true)
    expect(existsSync(join(installed, 'src')), 'no sources').toBe(false)
    expect(existsSync(join(installed, 'test')), 'no tests').toBe(false)
  },
  3 * PATIENCE,
)

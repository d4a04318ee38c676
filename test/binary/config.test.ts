import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { answering, type Business, createHomes, errorOf, type Home, OWNER, PASSWORD, type Serving } from '../support/binary.ts'

const homes = createHomes()
let business: Business
let serving: Serving

beforeAll(async () => {
  business = await homes.business()
  serving = await business.serve(['--quiet'])
})

describe('the user file', () => {
  test('twenty runs at once lose nothing', async () => {
    const home = homes.empty()
    const names = Array.from({ length: 20 }, (_, index) => `shop-${index}`)
    const settings = [
      ['output', 'table'],
      ['timeout', '12'],
      ['time_zone', 'Asia/Tokyo'],
      ['no_input', 'true'],
    ] as const
    const ends = await Promise.all([
      ...names.map((name) => home.run(['profiles', 'add', name, '--base-url', `https://${name}.example.com`])),
      ...settings.map(([name, value]) => home.run(['config', 'set', name, '--value', value])),
    ])
    expect(ends.filter(({ exit }) => exit !== 0)).toEqual([])
    const file = home.readConfig()
    expect(Object.keys(file.profiles).sort()).toEqual([...names].sort())
    expect(file.settings).toEqual(Object.fromEntries(settings))
    expect(names).toContain(file.profile)
  })

  test('only its owner can read it, or the folder it is in', async () => {
    const home = homes.empty()
    expect((await home.run(['init', '--sample', '--password-stdin'], { stdin: PASSWORD })).exit).toBe(0)
    const database = home.readConfig().profiles.local?.database as string
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([home.configFile, database].map(mode)).toEqual(['600', '600'])
    expect([home.configFile, database].map((path) => mode(join(path, '..')))).toEqual(['700', '700'])
  })

  test('config path prints where it is, and BOOKCTL_CONFIG_DIR moves it', async () => {
    expect((await business.run(['config', 'path'])).stdout).toBe(`${business.configFile}\n`)
    const env = { BOOKCTL_CONFIG_DIR: join(business.directory, 'elsewhere') }
    expect((await business.run(['config', 'path'], { env })).stdout).toBe(`${join(business.directory, 'elsewhere', 'config.json')}\n`)
  })

  test.each([
    ['output', 'jsn'],
    ['timeout', 'soon'],
    ['time_zone', 'Europe/Atlantis'],
    ['api_key', 'bk_secret'],
    ['colour', 'red'],
  ])('%s cannot be set to %s, and nothing is written', async (name, value) => {
    const home = homes.empty()
    expect((await home.run(['config', 'set', name, '--value', value])).exit).toBe(2)
    expect(() => home.readConfig()).toThrow()
  })
})

describe('which source wins', () => {
  test('flag, then environment, then project file, then user file, then default', async () => {
    const home = homes.empty()
    const project = join(home.directory, 'project', 'below')
    mkdirSync(project, { recursive: true })
    const timeout = async (args: string[] = [], env = {}) => {
      const { collection } = await home.json(['config', 'list', '--show-origin', ...args], { cwd: project, env })
      const { value, origin } = collection.find(({ name }: { name: string }) => name === 'timeout')
      return `${value} ${origin}`
    }
    expect(await timeout()).toBe('30 default')
    await home.run(['config', 'set', 'timeout', '--value', '21'])
    expect(await timeout()).toBe('21 user file')
    writeFileSync(join(project, '..', '.bookctl.json'), '{"timeout": 22}')
    expect(await timeout()).toBe('22 project file')
    expect(await timeout([], { BOOKCTL_TIMEOUT: '23' })).toBe('23 environment')
    expect(await timeout(['--timeout', '24'], { BOOKCTL_TIMEOUT: '23' })).toBe('24 flag')
    expect(await timeout([], { BOOKCTL_TIMEOUT: '' }), 'an empty variable says nothing').toBe('22 project file')
  })

  test.each([['api_key'], ['access_token'], ['base_url'], ['profiles']])(
    'a project file with %s is refused, and its value is not shown',
    async (key) => {
      const home = await homes.business()
      writeFileSync(join(home.directory, '.bookctl.json'), JSON.stringify({ [key]: 'bk_in-the-repository' }))
      const ended = await home.run(['customers', 'list'])
      expect(ended.exit).toBe(2)
      expect(errorOf(ended)).toMatchObject({ code: 'bad_file', message: expect.stringContaining(key) })
      expect(ended.stderr).not.toContain('in-the-repository')
    },
  )

  test('a project file may name a profile', async () => {
    const home = business.remote(serving.url)
    await home.run(['profiles', 'add', 'other', '--base-url', 'http://127.0.0.1:9'])
    writeFileSync(join(home.directory, '.bookctl.json'), '{"profile": "other"}')
    expect((await home.run(['customers', 'list'])).exit).toBe(3)
    expect((await home.run(['customers', 'list', '--profile', 'shop'])).exit).toBe(0)
  })
})

describe('signing in', () => {
  const fresh = async (): Promise<Home> => {
    const home = homes.empty()
    await home.run(['profiles', 'add', 'shop', '--base-url', serving.url])
    return home
  }
  const works = async (home: Home) => {
    const { collection } = await home.json(['auth', 'status'])
    return collection.map(({ credential, status }: { credential: string; status: string }) => `${credential} ${status}`)
  }

  test('with e-mail and password from stdin, the pair works, is told by auth token, and is forgotten at logout', async () => {
    const home = await fresh()
    const login = await home.run(['auth', 'login', '--email', OWNER, '--password-stdin'], { stdin: `${PASSWORD}\n` })
    expect(login).toMatchObject({ exit: 0, stdout: '' })
    const { api_key = '', access_token = '' } = home.readConfig().profiles.shop ?? {}
    expect(login.stderr).not.toContain(api_key)
    expect(await works(home)).toEqual(['api key works', 'access token works'])
    expect(await home.run(['auth', 'token'])).toMatchObject({ stdout: `${access_token}\n`, stderr: '' })
    expect(await home.run(['auth', 'token', '--api-key'])).toMatchObject({ stdout: `${api_key}\n`, stderr: '' })
    expect(await home.json(['me'])).toMatchObject({ email: OWNER, role: 'owner' })
    expect((await home.run(['auth', 'logout'])).exit).toBe(2)
    expect((await home.run(['auth', 'logout', '--yes'])).exit).toBe(0)
    expect(readFileSync(home.configFile, 'utf8')).not.toMatch(/bk_|pat_/)
    expect((await home.run(['auth', 'status'])).exit).toBe(3)
    expect((await home.run(['customers', 'list'])).exit).toBe(3)
  })

  test('on a terminal, the password is asked for and never drawn', async () => {
    const home = await fresh()
    const steps = [
      { see: 'E-mail', type: `${OWNER}\r` },
      { see: 'Password', type: `${PASSWORD}\r` },
    ]
    const drawn = await home.onTerminal(['auth', 'login'], { steps })
    expect(drawn.exit).toBe(0)
    expect(drawn.text).toContain('Signed in')
    expect(drawn.raw).not.toContain(PASSWORD)
    expect(await works(home)).toEqual(['api key works', 'access token works'])
  })

  test('with an API key from stdin', async () => {
    const home = await fresh()
    expect((await home.run(['auth', 'login', '--with-api-key'], { stdin: `${business.api_key}\n` })).exit).toBe(0)
    expect(await works(home)).toEqual(['api key works', 'access token missing'])
  })

  test('with a command that prints the token: the file holds the command, not the token', async () => {
    const home = await fresh()
    writeFileSync(join(home.directory, 'secret'), business.access_token)
    expect((await home.run(['auth', 'login', '--token-command', 'cat "$HOME/secret"'])).exit).toBe(0)
    expect(await works(home)).toEqual(['api key missing', 'access token works'])
    expect((await home.run(['auth', 'token'])).stdout).toBe(`${business.access_token}\n`)
    expect(readFileSync(home.configFile, 'utf8')).not.toContain('pat_')
  })

  test.each([
    ['an access token where an API key is wanted', ['--with-api-key'], 'pat_x', 2],
    ['nothing on stdin', ['--with-token'], '', 2],
    ['no way to ask', [], '', 2],
  ])('%s is refused', async (_, flags, stdin, exit) => {
    const home = await fresh()
    expect((await home.run(['auth', 'login', ...flags], { stdin })).exit).toBe(exit)
    expect(home.readConfig().profiles.shop).toEqual({ base_url: serving.url })
  })
})

describe('secrets', () => {
  test('are in no output: not in a dry run, not with --debug, not in errors, not in settings', async () => {
    const home = business.remote(serving.url)
    const runs = [
      ['customers', 'create', '--name', 'Ada', '--dry-run'],
      ['customers', 'create', '--name', 'Ada', '--generate', 'curl'],
      ['customers', 'list', '--debug'],
      ['customers', 'get', '99999', '--debug'],
      ['auth', 'status', '--debug'],
      ['config', 'list', '--show-origin'],
      ['profiles', 'list'],
      ['me', '--verbose'],
    ]
    const ends = await Promise.all(runs.map((args) => home.run(args)))
    const login = ['auth', 'login', '--email', OWNER, '--password-stdin', '--debug']
    ends.push(await home.run(login, { stdin: PASSWORD }))
    const { api_key = '', access_token = '' } = home.readConfig().profiles.shop ?? {}
    for (const [index, { stdout, stderr }] of ends.entries()) {
      for (const secret of [business.api_key, business.access_token, api_key, access_token, PASSWORD]) {
        expect(stdout + stderr, `${runs[index] ?? login}`).not.toContain(secret)
      }
    }
    const debug = ends[2]?.stderr
    expect(debug).toContain('> api-key: bk_…')
    expect(debug).toMatch(/^< 200 in \d+ ms$/m)
  })

  test('--debug tells in full what nobody has to hide', async () => {
    const { url, close } = await answering((_, response) => response.writeHead(500, { 'x-request-id': 'abc' }).end('Oops'))
    const ended = await business.remote(url).run(['customers', 'create', '--name', 'Ada', '--debug'])
    await close()
    expect(ended.stderr).toContain('> {"name":"Ada"}')
    expect(ended.stderr).toContain('< Oops')
    expect(errorOf(ended).request_id).toBe('abc')
  })

  test('serve logs no credential and no query', async () => {
    const server = await business.serve()
    await business.remote(server.url).run(['customers', 'list', '--search', 'lindqvist'])
    const { stderr } = await server.stop()
    expect(stderr).toContain('/api/v3/customers')
    expect(stderr).not.toMatch(/lindqvist|bk_|pat_/)
  })
})

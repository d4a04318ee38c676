import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sql } from '../../src/service/store/sql.ts'
import { openSqlite } from '../../src/service/store/sqlite.ts'
import { type Business, createHomes, errorOf, type Home } from '../support/binary.ts'
import { fetchChecked } from '../support/document.ts'

const homes = createHomes()

/** Root may write everything, so where the tests are run by root the tool is run by nobody. */
const isRoot = process.getuid?.() === 0
const asNobody = isRoot ? 'setpriv --reuid 65534 --regid 65534 --clear-groups ' : ''
const hasMounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

/** A home that belongs to whoever the tool is run by. */
function handOver(home: Home): void {
  if (!isRoot) return
  chmodSync(homes.root, 0o755)
  spawnSync('chown', ['-R', '65534:65534', home.directory])
}

/** Runs a line in a shell as somebody who is not root. */
const runAsNobody = (home: Home, line: string) => home.shell(`declare -f bookctl > tool.sh; ${asNobody}bash -c '. ./tool.sh; ${line}'`)

/** Overwrites the table of customers, and nothing else. */
async function damageCustomers({ database }: Business): Promise<void> {
  const engine = openSqlite(database)
  const page = await engine.one<{ rootpage: number }>(sql`select rootpage from sqlite_master where name = 'customers'`)
  const size = await engine.one<{ page_size: number }>(sql`pragma page_size`)
  await engine.close()
  const { page_size } = size as { page_size: number }
  writeSync(openSync(database, 'r+'), Buffer.alloc(page_size, 0xff), 0, page_size, ((page?.rootpage ?? 0) - 1) * page_size)
}

describe('a database of this machine that cannot be used', () => {
  test('is named, with what to do: something that is no database', async () => {
    const business = await homes.business()
    writeFileSync(business.database, 'Dear diary, today I was no database.')
    const ended = await business.run(['customers', 'list'])
    expect(ended).toMatchObject({ exit: 2, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'bad_file', message: expect.stringContaining(`${business.database} cannot be`) })
    expect(errorOf(ended).message).toContain('name the right file')
  })

  test('is named, with what to do: one that is damaged, which is seen only when it is read', async () => {
    const business = await homes.business()
    await damageCustomers(business)
    const ended = await business.run(['customers', 'list'])
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).message).toMatch(/^The database \/.+local\.db cannot be used: it is damaged; put a copy/)
    expect((await business.run(['services', 'list'])).exit).toBe(0)
  })

  test('is no business of a caller from elsewhere, and stands in the log', async () => {
    const business = await homes.business()
    await damageCustomers(business)
    const serving = await business.serve()
    const reply = await fetchChecked(`${serving.url}/api/v3/customers`, { headers: { 'api-key': business.api_key } })
    expect([reply.status, await reply.text()]).toEqual([500, expect.not.stringContaining('local.db')])
    expect(serving.log()).toContain(`${business.database} cannot be used`)
  })

  test('is named, with what to do: one that may only be read, which is read', async () => {
    const business = await homes.business()
    chmodSync(business.database, 0o444)
    handOver(business)
    expect((await runAsNobody(business, 'bookctl customers list --limit 1 -o ids')).stdout).toBe('1\n')
    const ended = await runAsNobody(business, 'bookctl customers create --name Ada')
    expect(ended).toMatchObject({ exit: 2, stdout: '' })
    expect(errorOf(ended).message).toMatch(/local\.db cannot be used: the file and its directory must be yours to write/)
  })

  test.skipIf(!hasMounts)(
    'is named, with what to do: one whose disk is full; and a business that does not fit leaves nothing',
    async () => {
      const home = homes.empty()
      const small = (line: string) =>
        home.shell(`declare -f bookctl > tool.sh; mkdir -p disk; unshare -rm bash -c '. ./tool.sh
      mount -t tmpfs -o size=6m none disk; ${line}'`)
      const notes = '"$(head -c 9000 /dev/zero | tr "\\0" x)"'
      const filled =
        await small(`bookctl init --sample --database disk/shop.db -o ids > /dev/null 2>&1; head -c $(($(df --output=avail -B1 disk | tail -1) - 100000)) /dev/zero > disk/fill
      for each in {1..40}; do bookctl customers create --name Ada --notes ${notes} > /dev/null 2> error || { echo $?; break; }; done
      cat error >&2`)
      expect(filled.stdout).toBe('9\n')
      expect(errorOf(filled)).toMatchObject({ code: 'unavailable', exit_code: 9 })
      expect(errorOf(filled).message).toMatch(/disk of the database is full; nothing was written\. .*The database is \/.+shop\.db\.$/)

      rmSync(home.configFile)
      const tooBig = await small('head -c 6000000 /dev/zero > disk/fill; bookctl init --sample --database disk/shop.db; echo $?; ls disk')
      expect(tooBig.stdout).toBe('9\nfill\n')
      expect(existsSync(home.configFile)).toBe(false)
    },
  )
})

describe('the user file', () => {
  test('that cannot be written is named, with the cause', async () => {
    const business = await homes.business()
    handOver(business)
    chmodSync(join(business.configFile, '..'), 0o555)
    const ended = await runAsNobody(business, 'bookctl config set output json || bookctl profiles add shop --base-url http://127.0.0.1:1')
    expect(ended).toMatchObject({ exit: 2 })
    expect(errorOf(ended).message).toMatch(/config\.json cannot be written: permission is denied; .* Nothing was changed\.$/)
    expect(readdirSync(join(business.configFile, '..'))).toEqual(['config.json'])
  })

  test.skipIf(!hasMounts).each([
    ['full', 'size=64k', 'cat /dev/zero > disk/fill 2> /dev/null', 'no space is left on the disk; make room, then try again'],
    ['read-only', 'ro', 'true', 'the file system is read-only'],
  ])('on a disk that is %s is named, with the cause', async (_, options, before, cause) => {
    const home = homes.empty()
    const ended = await home.shell(`declare -f bookctl > tool.sh; mkdir disk; unshare -rm bash -c '. ./tool.sh
      mount -t tmpfs -o ${options} none disk; ${before}
      BOOKCTL_CONFIG_DIR="$PWD/disk" bookctl profiles add shop --base-url http://127.0.0.1:1'`)
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).message).toMatch(new RegExp(`disk/config\\.json cannot be written: ${cause}\\. Nothing was changed\\.$`))
  })

  test('init says which directory cannot be made', async () => {
    const home = homes.empty()
    chmodSync(home.directory, 0o777)
    await home.shell('mkdir -m 555 .local')
    chmodSync(homes.root, 0o755)
    const ended = await runAsNobody(home, 'bookctl init --sample')
    expect(ended.exit).toBe(2)
    expect(errorOf(ended).message).toMatch(/^The directory \/.+\.local\/share\/bookctl cannot be made: permission is denied/)
  })
})

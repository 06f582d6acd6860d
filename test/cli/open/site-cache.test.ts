import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSiteCache } from '../../../src/cli/open/site-cache.ts'
import { emptyMemory } from '../../../src/site/make/render-memory.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const memory = { ...emptyMemory, groups: new Map([['search', { key: 'a', files: [{ path: '_search/names.json', hash: 'b' }] }]]) }

test('restores its content, ignores damaged files and removes old ones', () => {
  const home = makeTemporaryFolder()
  const folder = join(home, 'openapi-pages')
  const cache = openSiteCache('/one', 'this', { env: { XDG_CACHE_HOME: home } })
  expect(cache.read()).toEqual(emptyMemory)
  cache.write(memory)
  expect(cache.read()).toEqual(memory)
  // Another version of the program may write another format.
  expect(openSiteCache('/one', 'other', { env: { XDG_CACHE_HOME: home } }).read()).toEqual(emptyMemory)
  const [name = ''] = readdirSync(folder)
  const path = join(folder, name)
  utimesSync(path, 1, 1)
  writeFileSync(join(folder, 'notes.json'), 'from another program')
  utimesSync(join(folder, 'notes.json'), 1, 1)
  openSiteCache('/two', 'this', { env: { XDG_CACHE_HOME: home } }).write(memory)
  expect(readdirSync(folder)).not.toContain(name)
  expect(readdirSync(folder)).toContain('notes.json')
  cache.write(memory)
  writeFileSync(path, readFileSync(path, 'utf8').replace('names', 'nomes'))
  expect(cache.read()).toEqual(emptyMemory)
})

import { describe, expect, test } from 'vitest'
import { packageIcons } from '../../../src/site/make/assets/read-site-assets.ts'
import { createIconSets, type IconLibrary, type IconSetName } from '../../../src/site/plan/icon-sets.ts'
import proIcons from '../../../texts/icon-names.json' with { type: 'json' }

describe('icon names', () => {
  test.each<readonly [string, IconLibrary, string | undefined]>([
    // Font Awesome, its brands and its aliases.
    ['rocket', 'fontawesome', 'fas-rocket'],
    ['python', 'fontawesome', 'fab-python'],
    ['node', 'fontawesome', 'fab-node'],
    ['golang', 'fontawesome', 'fab-golang'],
    ['code-branch', 'fontawesome', 'fas-code-branch'],
    ['home', 'fontawesome', 'fas-home'],
    // The style of the name or of `iconType`.
    ['fa-solid fa-bell', 'fontawesome', 'fas-bell'],
    ['fa-regular fa-bell', 'fontawesome', 'far-bell'],
    ['far fa-bell', 'fontawesome', 'far-bell'],
    ['fa-thin bell', 'fontawesome', 'far-bell'],
    ['fa-light rocket', 'fontawesome', 'fas-rocket'],
    ['fa-sharp-solid bell', 'fontawesome', 'fas-bell'],
    ['fa-brands fa-github', 'fontawesome', 'fab-github'],
    ['fab fa-github', 'lucide', 'fab-github'],
    ['fa-regular bell', 'lucide', 'l-bell'],
    ['fa-sharp fa-solid fa-bell', 'lucide', 'fas-bell'],
    ['big rocket', 'lucide', undefined],
    ['fa-github', 'fontawesome', 'fab-github'],
    // The library.
    ['rocket', 'lucide', 'l-rocket'],
    ['rocket', 'tabler', 'tb-rocket'],
    ['lucide:rocket', 'fontawesome', 'l-rocket'],
    ['tabler:rocket', 'lucide', 'tb-rocket'],
    // Names of other libraries.
    ['circle-alert', 'fontawesome', 'l-circle-alert'],
    ['brand-openai', 'fontawesome', 'tb-brand-openai'],
    ['openai', 'tabler', 'tb-brand-openai'],
    ['gear', 'lucide', 'l-settings'],
    ['python', 'lucide', 'tb-brand-python'],
    ['grid-2', 'fontawesome', 'l-layout-grid'],
    ['  GitHub ', 'fontawesome', 'fab-github'],
    // Names that no set has, or that no icon can have.
    ['no-such-icon', 'fontawesome', undefined],
    ['', 'fontawesome', undefined],
    ['constructor', 'lucide', undefined],
    ['__proto__', 'fontawesome', undefined],
    ['rocket"><script>', 'fontawesome', undefined],
    ['rocket\n', 'lucide', 'l-rocket'],
    ['a\tb', 'tabler', undefined],
    ['🚀', 'fontawesome', undefined],
    ['x'.repeat(100_000), 'fontawesome', undefined],
  ])('finds %j in %s: %s', (name, library, expected) => {
    expect(packageIcons.find(name, library)).toBe(expected)
  })

  test('suggests the nearest names, those of the library first', () => {
    expect(packageIcons.suggest('rockt', 'fontawesome')).toEqual(['rocket'])
    expect(packageIcons.suggest('settigs', 'lucide')[0]).toBe('settings')
    expect(packageIcons.suggest('zzzzzzzz', 'tabler')).toEqual([])
  })

  test('reads only the sets that a name needs, each once', () => {
    const read: IconSetName[] = []
    const icons = createIconSets((set) => {
      read.push(set)
      return set === 'lucide' ? 'rocket\t<path d="1"/>\nship\t=rocket\n' : 'star\t<path d="2"/>\n'
    })
    expect([icons.find('rocket', 'lucide'), icons.find('ship', 'lucide')]).toEqual(['l-rocket', 'l-rocket'])
    expect(read).toEqual(['lucide'])
    expect(icons.find('star', 'lucide')).toBe('tb-star')
    expect(icons.find('star', 'tabler')).toBe('tb-star')
    expect(read).toEqual(['lucide', 'tabler'])
  })
})

describe('the symbols', () => {
  test.each(['l-rocket', 'tb-rocket', 'fas-rocket', 'far-bell', 'fab-github'])('draws %s', (id) => {
    const symbol = packageIcons.symbolOf(id)
    expect(symbol).toMatch(/^<symbol id="[\w-]+" viewBox="0 0 (24|640) \1" stroke="none"><(?:path|g) .*<\/symbol>$/)
    expect(symbol).toContain(`id="${id}"`)
  })

  test('draws nothing for unknown IDs', () => {
    expect(['l-nothing', 'i-copy', 'rocket', '', 'tb-constructor'].map(packageIcons.symbolOf)).toEqual(['', '', '', '', ''])
  })

  test('has an icon for every name of Font Awesome Pro that is mapped', () => {
    const broken = Object.values(proIcons).filter((name) => packageIcons.find(name, 'lucide') !== `l-${name}`)
    expect(broken.filter((name) => !packageIcons.find(name, 'lucide')?.startsWith('l-'))).toEqual([])
  })
})

import { addTo, getOrMake, onceFor } from '../../text/plain/lists.ts'
import { isDivision, listDivisions } from '../plan/divisions.ts'
import type { DivisionNode, NavigationNode, SitePage, SitePlan } from '../plan/types.ts'
import { isSearchable } from './page-listing.ts'

/** A language or version of a page. */
interface Choice {
  /** The division with the alternatives. */
  readonly around: NavigationNode
  readonly chosen: DivisionNode
}

interface SearchScopes {
  readonly count: number
  /** The numbers of the indexes that contain a page. A page can be listed in several versions. */
  readonly scopesOf: (page: SitePage) => readonly number[]
  /** The numbers of the indexes that the search of a page uses. */
  readonly scopesFor: (page: SitePage) => readonly number[]
  /** The versions that the search of a page can choose, each with its indexes; empty if there are not several. */
  readonly versionsFor: (page: SitePage) => readonly (readonly [label: string, scopes: readonly number[]])[]
}

/**
 * Divides the search of a site by language and version, so that browsers load only what they show. The search of a page uses the
 * indexes of the languages and versions that contain the page, and elsewhere the defaults.
 */
export const planSearchScopes = onceFor((plan: SitePlan): SearchScopes => {
  const scopes: (readonly Choice[])[] = []
  const numbers = new Map<string, number>()
  const listings = findListings(plan.navigation)
  const scopesOf = (page: SitePage) => {
    const all = listings.get(page.route) ?? [[]]
    return [...new Set(all.map((choices) => getOrMake(numbers, toKey(choices), () => scopes.push(choices) - 1)))]
  }
  for (const page of plan.pages) if (isSearchable(page, plan.settings)) scopesOf(page)
  const used = new Map<string, readonly number[]>()
  const findScopes = (own: readonly Choice[]) =>
    getOrMake(used, toKey(own), () => [...scopes.keys()].filter((number) => isCompatible(scopes[number] ?? [], own)))
  return {
    count: Math.max(1, scopes.length),
    scopesOf,
    scopesFor: (page) => findScopes(listChoices(page)),
    versionsFor(page) {
      const own = listChoices(page)
      const around = findVersions(own, scopes)
      const options = around ? listOptions(around, 'version') : []
      if (!around || options.length < 2) return []
      const others = own.filter((choice) => choice.around !== around)
      return options.map((chosen) => [chosen.label, findScopes([...others, { around, chosen }])] as const)
    },
  }
})

function listChoices({ trail }: Pick<SitePage, 'trail'>): Choice[] {
  return trail.flatMap((chosen, index) => {
    const around = trail[index - 1]
    return around && (chosen.kind === 'language' || chosen.kind === 'version') ? [{ around, chosen }] : []
  })
}

/** The choices that lead to each route in the navigation. */
function findListings(navigation: DivisionNode): Map<string, (readonly Choice[])[]> {
  const listings = new Map<string, (readonly Choice[])[]>()
  const visit = (node: DivisionNode, trail: readonly NavigationNode[]) => {
    const inside = [...trail, node]
    const choices = listChoices({ trail: inside })
    if (node.root !== undefined) addTo(listings, node.root, choices)
    for (const child of node.children) {
      if (child.kind === 'page') addTo(listings, child.route, choices)
      else if (child.kind !== 'link') visit(child, inside)
    }
  }
  visit(navigation, [])
  return listings
}

/** The division with the versions of a page; else the one whose versions its search can show, if there is only one. */
function findVersions(own: readonly Choice[], scopes: readonly (readonly Choice[])[]): NavigationNode | undefined {
  const version = own.findLast(({ chosen }) => chosen.kind === 'version')
  if (version) return version.around
  const shown = scopes.filter((choices) => isCompatible(choices, own)).flat()
  const found = new Set(shown.filter(({ chosen }) => chosen.kind === 'version').map(({ around }) => around))
  return found.size === 1 ? [...found][0] : undefined
}

function toKey(choices: readonly Choice[]): string {
  return JSON.stringify(choices.map(({ chosen }) => chosen.id))
}

/** Whether pages with these choices can be results on a page with its own choices. */
function isCompatible(choices: readonly Choice[], own: readonly Choice[]): boolean {
  return choices.every(({ around, chosen }) => {
    const same = own.find((choice) => choice.around === around)
    return chosen === (same ? same.chosen : findDefault(around, chosen.kind))
  })
}

function findDefault(around: NavigationNode, kind: DivisionNode['kind']): DivisionNode | undefined {
  const options = listOptions(around, kind)
  return options.find(({ isDefault }) => isDefault) ?? options[0]
}

function listOptions(around: NavigationNode, kind: DivisionNode['kind']): readonly DivisionNode[] {
  return isDivision(around) ? listDivisions(around.children, kind) : []
}

import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { locateFrontmatterValue } from '../../../docs/pages/page-bindings.ts'
import { isContainer, pointerChild, readOwn } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import type { SettingLink } from '../check-settings.ts'
import { isDivision } from '../divisions.ts'
import { type IconSets, isImagePath } from '../icon-sets.ts'
import { Fields } from '../typed-fields.ts'
import type { SitePage, SitePlan } from '../types.ts'

export interface IconSource {
  readonly icons: IconSets
  readonly plan: SitePlan
}

type Place = Pick<Finding, 'file' | 'pointer' | 'offsets'>

/** Reports an icon that no icon set has. */
export function toIconFinding(name: string, place: Place, { icons, plan }: IconSource): Finding {
  const plain = name.trim().replace(/^fa-\w+ /, '')
  const near = icons.suggest(name, plan.settings.icons.library)
  const hint = near.length === 0 ? {} : { hint: `Did you mean ${listChoices(near)}?` }
  return {
    code: 'icon-unknown',
    message: `Unexpected icon \`${plain}\`, expected a name from Font Awesome Free, Lucide or Tabler`,
    ...place,
    ...hint,
  }
}

/** Reports unknown icons in the frontmatter of pages. */
export function checkPageIcons(
  pages: readonly SitePage[],
  textOf: (path: string) => string | undefined,
  prefix: string,
  context: IconSource,
): Finding[] {
  return pages.flatMap(({ path, icon }) => {
    if (path === undefined || icon === undefined || !isUnknownIcon(icon, context)) return []
    const offsets = locateFrontmatterValue(textOf(path) ?? '', 'icon') ?? { start: 0, end: 0 }
    return toIconFinding(icon, { file: prefix + path, pointer: '', offsets }, context)
  })
}

/** Reports unknown icons of `docs.json`. */
export function checkSettingIcons(docsConfig: unknown, file: string, context: IconSource): Finding[] {
  return listSettingIcons(docsConfig)
    .filter(({ icon }) => isUnknownIcon(icon, context))
    .map(({ icon, pointer }) => toIconFinding(icon, { file, pointer }, context))
}

/** The image files and URLs that `docs.json` uses as icons. */
export function listSettingIconLinks(docsConfig: unknown, file: string): SettingLink[] {
  return listSettingIcons(docsConfig)
    .filter(({ icon }) => isImagePath(icon) && isAllowedUrl(icon, 'media'))
    .map(({ icon, pointer }) => ({ href: icon, file, pointer }))
}

function listSettingIcons(docsConfig: unknown): { readonly icon: string; readonly pointer: string }[] {
  const found: { readonly icon: string; readonly pointer: string }[] = []
  const visit = (value: unknown, pointer: string): void => {
    if (!isContainer(value)) return
    for (const [key, inside] of Object.entries(value)) {
      const at = pointerChild(pointer, key)
      const icon = key === 'icon' ? new Fields(value).icon() : undefined
      if (icon !== undefined) found.push({ icon, pointer: at })
      else if (key !== 'icon') visit(inside, at)
    }
  }
  for (const key of ['navigation', 'navbar', 'contextual']) visit(readOwn(docsConfig, key), `/${key}`)
  return found
}

/** Whether an icon of a page or of `docs.json` is a name that no icon set has. */
export function isUnknownIcon(icon: string, { icons, plan }: IconSource): boolean {
  return icon.trim() !== '' && !isImagePath(icon) && icons.find(icon, plan.settings.icons.library) === undefined
}

/** The images that the navigation and pages use as icons, as written. */
export function listIconImages({ navigation, pages }: SitePlan): string[] {
  const images = new Set(pages.flatMap(({ icon }) => icon ?? []))
  const visit = (node: SitePlan['navigation']) => {
    if (node.icon !== undefined) images.add(node.icon)
    for (const child of node.children) {
      if (child.kind === 'link' && child.icon !== undefined) images.add(child.icon)
      if (isDivision(child)) visit(child)
    }
  }
  visit(navigation)
  return [...images].filter(isImagePath)
}

import { Icon } from '../icons/icon.tsx'
import { NamedIcon } from '../icons/named-icon.tsx'
import type { NavigationSwitch } from './navigation-view.ts'

const labels: Readonly<Record<string, string>> = {
  language: 'Language',
  version: 'Version',
  product: 'Product',
  dropdown: 'Part of the documentation',
  item: 'Menu',
}

/** What is chosen between, in words. */
export function switchLabel({ kind }: NavigationSwitch): string {
  return labels[kind] ?? 'Choice'
}

/** A choice between parts of the site: a menu of links, so that it works without script. */
export function NavigationMenu({ one }: { readonly one: NavigationSwitch }) {
  const current = one.options.find(({ isCurrent }) => isCurrent) ?? one.options[0]
  if (!current) return null
  return (
    <details class="menu switch">
      <summary class="btn quiet">
        {one.kind === 'language' && <Icon name="globe" />}
        <span class="vh">{switchLabel(one)}: </span>
        <NamedIcon name={current.icon} /> {current.label} <Icon name="down" />
      </summary>
      <div>
        <NavigationOptions one={one} />
      </div>
    </details>
  )
}

function NavigationOptions({ one }: { readonly one: NavigationSwitch }) {
  return (
    <>
      {one.options.map(({ label, language, href, icon, description, tag, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined} lang={language} hreflang={language}>
          <NamedIcon name={icon} />
          <span>
            {label} {tag !== undefined && <span class="tag">{tag}</span>}
            {description !== undefined && <small>{description}</small>}
          </span>
        </a>
      ))}
    </>
  )
}

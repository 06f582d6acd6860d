import { markdownToNodes } from '../../mdx/mdx-reader.ts'
import { ContentNodes } from '../content/content-nodes.tsx'
import { Icon } from '../icons/icon.tsx'
import { NamedIcon } from '../icons/named-icon.tsx'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import type { NavigationSwitch, NavigationView } from './navigation-view.ts'

interface HeaderProps {
  readonly context: SiteContext
  readonly page: SitePage
  readonly view: NavigationView
}

/** The bar at the top: name or logo, choices, tabs, search, links, theme. */
export function Header({ context, page, view }: HeaderProps) {
  const { settings } = context.plan
  const { logo, navbar, banner, appearance } = settings
  const links = navbar.primary ? [...navbar.links, navbar.primary] : navbar.links
  return (
    <>
      {banner && (
        <aside class="banner" aria-label="Announcement">
          <ContentNodes nodes={markdownToNodes(banner.content)} context={context} page={page} />
        </aside>
      )}
      <header class="top">
        <div class="wrap">
          <a class="brand" href={logo?.href === undefined ? toHref(context, '') : resolveHref(context, logo.href, undefined)}>
            {logo ? (
              <>
                <img class="on-light" src={resolveHref(context, logo.light, undefined)} alt={settings.name} />
                <img class="on-dark" src={resolveHref(context, logo.dark, undefined)} alt={settings.name} />
              </>
            ) : (
              settings.name
            )}
          </a>
          {view.switches.map((one) => (
            <Switch one={one} />
          ))}
          {view.tabs.length > 0 && (
            <nav class="sections" aria-label="Sections">
              {view.tabs.map(({ label, href, isCurrent }) => (
                <a href={href} aria-current={isCurrent ? 'true' : undefined}>
                  {label}
                </a>
              ))}
            </nav>
          )}
          <a class="find" href={toHref(context, 'search')} data-open="search">
            <Icon name="search" /> <span>Search</span> <kbd>/</kbd>
          </a>
          {links.map(({ label, href, icon }, index) => (
            <a
              class={links.length - 1 === index && navbar.primary ? 'btn primary bar-link' : 'btn quiet bar-link'}
              href={resolveHref(context, href, undefined)}
            >
              <NamedIcon name={icon} /> {label}
            </a>
          ))}
          {!appearance.strict && (
            <button type="button" class="btn quiet icon" data-theme-toggle aria-label="Switch between light and dark">
              <Icon name="sun" class="sun" />
              <Icon name="moon" class="moon" />
            </button>
          )}
        </div>
      </header>
    </>
  )
}

const switchLabels: Readonly<Record<string, string>> = {
  language: 'Language',
  version: 'Version',
  product: 'Product',
  dropdown: 'Part of the documentation',
  item: 'Menu',
}

/** A choice between parts of the site: a menu of links, so that it works without script. */
function Switch({ one }: { readonly one: NavigationSwitch }) {
  const current = one.options.find(({ isCurrent }) => isCurrent) ?? one.options[0]
  if (!current) return null
  return (
    <details class="menu switch">
      <summary class="btn quiet">
        <span class="vh">{switchLabels[one.kind] ?? 'Choice'}: </span>
        <NamedIcon name={current.icon} /> {current.label} <Icon name="down" />
      </summary>
      <div>
        {one.options.map(({ label, href, icon, description, tag, isCurrent }) => (
          <a href={href} aria-current={isCurrent ? 'true' : undefined}>
            <NamedIcon name={icon} />
            <span>
              {label} {tag !== undefined && <span class="tag">{tag}</span>}
              {description !== undefined && <small>{description}</small>}
            </span>
          </a>
        ))}
      </div>
    </details>
  )
}

import { useId } from 'preact/hooks'
import type { MdxElement } from '../../../script/values/values.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { type ComponentProps, childrenNamed, PropIcon, readCount, readFlag, readText, toClassName } from './component-props.tsx'

/** The most panels that the stylesheet supports. */
export const maxPanels = 24

/** `<Tabs defaultTabIndex sync borderBottom>` with `<Tab title icon id>`, and consecutive `<View>`s. Radio buttons make them work without scripts. The selected title applies to all tabs and code groups of the site. */
export function Tabs({ element, context, page, show }: ComponentProps) {
  const name = useId()
  const texts = context.messages.guide
  const isViews = element.name === 'Views'
  const panels = listPanels(element)
  const others = element.children.filter((child) => !panels.some((panel) => panel === child))
  if (panels.length > maxPanels || panels.length === 0)
    return <CollapsiblePanels element={element} panels={panels} context={context} page={page} show={show} />
  const first = Math.min(readCount(element.props, 'defaultTabIndex', maxPanels) ?? 0, panels.length - 1)
  const sync = isViews ? 'view' : element.props['sync'] === false ? undefined : 'lang'
  return (
    <>
      {show(others)}
      <div class={toClassName(element.props, 'tabs', readFlag(element.props, 'borderBottom') && 'ruled')} data-sync={sync}>
        <fieldset>
          <legend class="vh">{isViews ? texts.view : texts.tabs}</legend>
          {panels.map((panel, index) => (
            <label>
              <input type="radio" name={name} value={titleOf(panel, index, context)} checked={index === first} />
              <PropIcon props={panel.props} context={context} page={page} show={show} /> {titleOf(panel, index, context)}
            </label>
          ))}
        </fieldset>
        {panels.map((panel) => (
          <div id={readText(panel.props, 'id')}>
            <div class="pad">{show(panel.children)}</div>
          </div>
        ))}
      </div>
    </>
  )
}

export function listPanels(element: MdxElement): readonly MdxElement[] {
  return childrenNamed(element, element.name === 'Views' ? 'View' : 'Tab')
}

function titleOf({ props }: MdxElement, index: number, { messages }: ComponentProps['context']): string {
  const title = readText(props, 'title', 'label', 'name')
  return title ?? formatMessage(messages.guide.tabNumber, { number: index + 1 }, messages.language)
}

/** Panels as collapsible sections, without the other children. */
export function CollapsiblePanels({
  element,
  panels,
  context,
  show,
}: ComponentProps & { readonly panels: readonly MdxElement[] }) {
  if (panels.length === 0) return show(element.children)
  return (
    <div class="folds">
      {panels.map((panel, index) => (
        <details class="fold" id={readText(panel.props, 'id')}>
          <summary>{titleOf(panel, index, context)}</summary>
          <div>{show(panel.children)}</div>
        </details>
      ))}
    </div>
  )
}

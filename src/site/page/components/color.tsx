import { type MdxValue, propsIn } from '../../../script/values/values.ts'
import { type ComponentProps, readText, toClassName } from './component-props.tsx'
import { toColorClass } from './page-styles.ts'

/** `<Color variant>` with `<Color.Row title>` and `<Color.Item name value>`: a named color palette. */
export function Color({ element, show }: ComponentProps) {
  return <div class={toClassName(element.props, 'colors')}>{show(element.children)}</div>
}

/** A row of colors with a title. */
export function ColorRow({ element, show }: ComponentProps) {
  return (
    <div class="color-row">
      <b>{show(element.props['title'])}</b>
      <div class="colors">{show(element.children)}</div>
    </div>
  )
}

/** A color. `value` can have one color for each theme. */
export function ColorItem({ element: { props } }: ComponentProps) {
  const values = readValues(props['value'])
  return (
    <div class="color">
      {values.map((value) => (
        <span class={`swatch ${toColorClass(value, 'background-color') ?? ''}`.trim()} />
      ))}
      <span>
        {readText(props, 'name')}
        <small>
          <code>{values.join(' · ')}</code>
        </small>
      </span>
    </div>
  )
}

function readValues(value: MdxValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  const { light, dark } = propsIn(value)
  return [light, dark].filter((one) => typeof one === 'string')
}

import {
  type ElementValue,
  type Evaluation,
  isKind,
  type MdxPlace,
  nest,
  spend,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'

/**
 * Calls a component. If it has a state such as `isDark`, which it would set in an effect, returns the styles and images of both themes: the prop
 * `dark-style` is the style of the dark theme. Other differences between the themes are not shown.
 */
export function callInBothThemes(component: Value, args: readonly Value[], evaluation: Evaluation, place: MdxPlace): Value {
  const { themeStates, isDark } = evaluation
  const light = evaluation.call(component, args, place)
  if (isDark || evaluation.themeStates === themeStates) return light
  const { depth } = evaluation.budget
  evaluation.isDark = true
  try {
    return combine(light, evaluation.call(component, args, place), evaluation, place)
  } catch (error) {
    // A part that only the dark theme has cannot be evaluated.
    if (!(error instanceof Unevaluable) || error.isTooComplex) throw error
    evaluation.budget.depth = depth
    return light
  } finally {
    evaluation.isDark = false
  }
}

/** Adds the styles of the dark theme to elements of the light theme. */
function combine(light: Value, dark: Value, evaluation: Evaluation, place: MdxPlace): Value {
  const { budget } = evaluation
  if (light === dark) return light
  nest(budget, place)
  spend(budget, 1, place)
  const combined = ((): Value => {
    if (isKind(light, 'list') && isKind(dark, 'list') && light.items.length === dark.items.length)
      return toList(light.items.map((item, index) => combine(item, dark.items[index], evaluation, place)))
    if (!isKind(light, 'element') || !isKind(dark, 'element') || light.name !== dark.name) return light
    if (light.type === 'img' && light.props.get('src') !== dark.props.get('src')) {
      const display = readStyle(dark).get('display') ?? 'block'
      return toList([
        withStyles(light, readStyle(light), hidden),
        withStyles(dark, new Map([...readStyle(dark), ...hidden]), new Map([...readStyle(dark), ['display', display]])),
      ])
    }
    const props = [...light.props].map(([name, value]): readonly [string, Value] => [
      name,
      name === 'style' ? value : combine(value, dark.props.get(name), evaluation, place),
    ])
    const [style, other] = [readStyle(light), readStyle(dark)]
    const isSame = style.size === other.size && [...style].every(([name, value]) => other.get(name) === value)
    const both = { ...light, props: new Map(props) }
    return isSame ? both : withStyles(both, style, other)
  })()
  budget.depth--
  return combined
}

type Style = ReadonlyMap<string, Value>
const hidden: Style = new Map([['display', 'none']])

function readStyle({ props }: ElementValue): Style {
  const style = props.get('style')
  return isKind(style, 'object') ? style.entries : new Map()
}

const withStyles = (element: ElementValue, style: Style, dark: Style): ElementValue => ({
  ...element,
  props: new Map([...element.props, ['style', toObject(style)], ['dark-style', toObject(dark)]]),
})

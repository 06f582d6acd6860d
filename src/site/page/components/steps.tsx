import type { MdxElement, MdxNode } from '../../../script/values/values.ts'
import { type ComponentProps, PropIcon, readCount, readFlag, readText, toClassName } from './component-props.tsx'
import { toStyleClass } from './page-styles.ts'

/** `<Steps titleSize>` with `<Step title icon stepNumber titleSize noAnchor id>`. Content between steps is added to the previous step. */
export function Steps({ element, context, page, show }: ComponentProps) {
  return (
    <ol class={toClassName(element.props, 'steps')}>
      {toSteps(element).map((step) => (
        <Step step={step} size={readText(element.props, 'titleSize')} context={context} page={page} show={show} />
      ))}
    </ol>
  )
}

/** The steps of `<Steps>`, with what is written between them. */
export function toSteps(element: MdxElement): readonly MdxElement[] {
  const steps: MdxElement[] = []
  let stray: MdxNode[] = []
  for (const child of element.children) {
    const last = steps.at(-1)
    if (child.kind === 'element' && child.name === 'Step') {
      steps.push(stray.length > 0 ? { ...child, children: [...stray, ...child.children] } : child)
      stray = []
    } else if (child.kind === 'text' && child.value.trim() === '') continue
    else if (last) steps[steps.length - 1] = { ...last, children: [...last.children, child] }
    else stray.push(child)
  }
  return stray.length > 0 ? [...steps, { ...element, name: 'Step', props: {}, children: stray }] : steps
}

interface StepProps extends Pick<ComponentProps, 'context' | 'page' | 'show'> {
  readonly step: MdxElement
  readonly size: string | undefined
}

function Step({ step, size, context, page, show }: StepProps) {
  const { props } = step
  const id = readText(props, 'id')
  const number = readCount(props, 'stepNumber', 9999)
  const own = readText(props, 'titleSize') ?? size ?? readText(props, 'defaultTitleSize')
  const Title = own === 'h2' ? 'h2' : own === 'h4' ? 'h4' : own === 'p' ? 'p' : 'h3'
  const title = show(props['title'])
  return (
    <li class={toClassName(props, number !== undefined && toStyleClass(`counter-set:step ${number}`))}>
      <PropIcon props={props} box="ball" context={context} page={page} show={show} />
      {props['title'] !== undefined && (
        <Title id={id} class="step-title">
          {id === undefined || readFlag(props, 'noAnchor') ? (
            title
          ) : (
            <a class="h" href={`#${id}`}>
              {title}
            </a>
          )}
        </Title>
      )}
      {show(step.children)}
    </li>
  )
}

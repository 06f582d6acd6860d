import { type ComponentChild, h } from 'preact'
import { type IconName, icon } from '../pages/icons.ts'

export interface ActionForm {
  readonly action: string
  readonly label: string
  /** What it is done to, for those who hear the button alone. */
  readonly of?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly picture?: IconName
  readonly isMain?: boolean
}

/** One button that changes something: a form, so that it works without script. */
export function actionForm({ action, label, of, fields = {}, picture, isMain = false }: ActionForm): ComponentChild {
  return h(
    'form',
    { method: 'post', action },
    Object.entries(fields).map(([name, value]) => h('input', { type: 'hidden', name, value })),
    h(
      'button',
      { class: isMain ? 'button' : 'button quiet', type: 'submit' },
      picture && icon(picture),
      label,
      of !== undefined && h('span', { class: 'hidden' }, ` ${of}`),
    ),
  )
}

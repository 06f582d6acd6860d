import { formatMessage } from '../../messages/format-message.ts'
import type { Messages } from '../../messages/messages.ts'

interface NestSummaryProps {
  /** What it shows, such as `3 attributes`. */
  readonly label: string
  /** What it hides, such as `attributes`. */
  readonly hidden: string
  readonly messages: Messages
}

/** The line that opens and closes collapsed content. The stylesheet draws the arrow, to keep the HTML small. */
export function NestSummary({ label, hidden, messages: { reference: texts, language } }: NestSummaryProps) {
  return (
    <summary>
      <span class="more">{formatMessage(texts.show, { name: label }, language)}</span>
      <span class="less">{formatMessage(texts.hide, { name: hidden }, language)}</span>
    </summary>
  )
}

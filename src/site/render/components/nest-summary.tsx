interface NestSummaryProps {
  /** What it shows, such as `3 attributes`. */
  readonly label: string
  /** What it hides. By default, the label without its number. */
  readonly hidden?: string
}

/** The line that opens and closes collapsed content. The stylesheet draws the arrow, to keep the HTML small. */
export function NestSummary({ label, hidden = label.replace(/^\d+ /, '') }: NestSummaryProps) {
  return (
    <summary>
      <span class="more">Show {label}</span>
      <span class="less">Hide {hidden}</span>
    </summary>
  )
}

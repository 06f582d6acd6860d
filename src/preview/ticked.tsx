/** The words of a message, what stands in backticks as code. */
export function Ticked({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}

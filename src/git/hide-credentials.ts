/** Takes user names, passwords and tokens out of a text that git or a server wrote. */
export function hideCredentials(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, '$1***@')
    .replace(/(authorization: *\w+ +)\S+/gi, '$1***')
    .replace(/\b(gh[pousr]_|github_pat_)\w+/g, '$1***')
}

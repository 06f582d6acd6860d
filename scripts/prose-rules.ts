/** A word or phrase that is not used, and what to write. Case does not matter. */
interface Term {
  readonly pattern: RegExp
  readonly advice: string
}

/** The words of the glossary in docs/glossary.md, and the habits of writing that CONTRIBUTING.md asks you to avoid. */
export const terms: readonly Term[] = [
  { pattern: /\b(?:told|untold)\b/i, advice: 'name who reports, shows or logs it' },
  { pattern: /\bstands\b/i, advice: 'say what it is or where it is' },
  { pattern: /\b(?:nobody|somebody|strangers?)\b/i, advice: 'name the actor: a visitor, a user, no one; or "untrusted input"' },
  { pattern: /\banew\b/i, advice: 'again' },
  { pattern: /\bfor ever\b/i, advice: 'forever' },
  {
    pattern: /\bof (?:ours|theirs|its own|their own|our own|your own)\b/i,
    advice: 'name the owner first: "our file", "its own file"',
  },
  { pattern: /\b(?:mend|mends|mended|mending)\b/i, advice: 'fix' },
  { pattern: /\bby hand\b/i, advice: 'manually; a page is hand-edited' },
  { pattern: /\bas (?:it is|they are)(?=[.,;:)]|$)/i, advice: 'unchanged' },
  { pattern: /\bparted by\b/i, advice: 'separated by' },
  { pattern: /\bfindings?\b/i, advice: 'diagnostic; to people: error, warning, problem' },
  { pattern: /\bfaults?\b/i, advice: 'error or problem' },
  { pattern: /\bpictures?\b/i, advice: 'screenshot or image' },
  { pattern: /\b(?:lead|leads|led) nowhere\b/i, advice: 'broken link' },
  { pattern: /\b(?:let|lets|letting) be\b/i, advice: 'leave' },
  { pattern: /\bsays so\b/i, advice: 'reports it' },
  { pattern: /\bwithout end\b/i, advice: 'endlessly, or name the limit' },
  { pattern: /\bdocs? (?:root|place)\b/i, advice: 'docs directory' },
  { pattern: /\bhas to do with\b/i, advice: 'say how they are related' },
  { pattern: /\b(?:it|that|this|they) (?:is|are) of\b/i, advice: 'its, their' },
  { pattern: /\bgo(?:es)? (?:its|their|his|her) way\b/i, advice: 'continues' },
  { pattern: /\bmay be had\b/i, advice: 'is available' },
  { pattern: /\bat hand\b/i, advice: 'available' },
  {
    pattern:
      /\b\w*(?:behaviour|colour|favour|honour|neighbour|flavour|(?:recogn|organ|real|normal|serial|summar|author|custom|initial|optim)is(?:e[ds]?|ing|ation))\b/i,
    advice: 'American spelling: behavior, color, recognize',
  },
  { pattern: /\bGithub\b|\bgit hub\b/, advice: 'GitHub' },
  { pattern: /\bOpen API\b|\bOpenApi\b/, advice: 'OpenAPI' },
  { pattern: /\b(?:NodeJS|Node\.JS)\b(?!\.)/, advice: 'Node.js' },
  { pattern: /\b(?:Javascript|Typescript)\b/, advice: 'JavaScript, TypeScript' },
]

/** The longest sentence, in words. */
export const longestSentence = 35

/** A sentence that is right although a rule complains. At most 20. */
interface Exception {
  readonly path: string
  /** A part of the sentence. */
  readonly text: string
  readonly reason: string
}

export const exceptions: readonly Exception[] = [
  { path: 'src/site/content/allowed-html.ts', text: 'ol p picture pre', reason: 'names of HTML elements' },
  { path: 'src/site/content/inline-content.ts', text: 'img picture svg', reason: 'names of HTML elements' },
]

/** Files whose text is not ours: data for tests, and what programs write. Paths from the root of the project, with `/`. */
export const skipped: readonly RegExp[] = [
  /^(?:dist|build|node_modules|coverage)\//,
  /(?:^|\/)fixtures\//,
  /^scripts\/prose-rules\.ts$/,
  /^src\/site\/render\/components\/icons\//,
  /^src\/cli\/setup\/workflow-texts\.generated\.ts$/, // Workflow files.
  /^docs\/internal\/messages\.md$/, // Quotes other tools.
  /^docs\/internal\/(?:conformance|requirements)\.md$/, // Quote test titles, which are checked in the tests.
]

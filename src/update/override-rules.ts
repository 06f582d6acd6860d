import type { RuleSettings } from '../diagnostic/apply-rules.ts'
import type { Config } from '../docs/project-config.ts'

/** A configuration with levels of the caller, which win over its own. */
export function overrideRules(config: Config, rules: RuleSettings['severities'] | undefined): Config {
  return rules === undefined || rules.size === 0 ? config : { ...config, rules: new Map([...config.rules, ...rules]) }
}

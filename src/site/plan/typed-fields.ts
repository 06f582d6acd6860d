import { entriesOf, listObjects, listOf, readOwn, stringEntries, stringOf } from '../../text/json/json-values.ts'
import { type AllowedUrl, isAllowedUrl } from '../../text/plain/paths.ts'
import { iconLibraries, withStyle } from './icon-sets.ts'

/** Typed access to the keys of an unchecked object. */
export class Fields {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  raw(key: string): unknown {
    return readOwn(this.value, key)
  }

  /** Not empty. */
  text(key: string): string | undefined {
    const found = stringOf(this.raw(key))
    return found?.trim() ? found : undefined
  }

  flag(key: string): boolean | undefined {
    return [true, false].find((one) => one === this.raw(key))
  }

  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    return choices.find((choice) => choice === this.raw(key))
  }

  url(key: string, use: 'link' | 'media' = 'link'): AllowedUrl | undefined {
    return [this.text(key)].find((found): found is AllowedUrl => found !== undefined && isAllowedUrl(found, use))
  }

  object(key: string): Fields {
    return new Fields(this.raw(key))
  }

  list(key: string): readonly unknown[] {
    return listOf(this.raw(key))
  }

  texts(key: string): string[] {
    return this.list(key).flatMap((one) => stringOf(one) ?? [])
  }

  objects(key: string): Fields[] {
    return listObjects(this.raw(key)).map((one) => new Fields(one))
  }

  entries(key: string): { [key: string]: string } {
    return stringEntries(Object.fromEntries(entriesOf(this.raw(key))))
  }

  /** `icon`: a name, or an object with `name`, `style` and `library`. `iconType` is the Font Awesome style. */
  icon(): string | undefined {
    const type = this.raw('iconType')
    const own = this.object('icon')
    const name = withStyle(stringOf(own.value) ?? own.text('name'), own.raw('style') ?? type)
    const library = own.choice('library', iconLibraries)
    return name !== undefined && library !== undefined ? `${library}:${name}` : name
  }
}

import { listPlaces } from '../openapi/references/follow-reference.ts'
import { type Place, readFlag, readText } from '../text/json/json-values.ts'
import { type Api, toNode } from './api.ts'
import { type DescribedValue, readValue } from './content.ts'

/** Where a parameter can be, in the order in which they are listed. */
export const locations = ['path', 'query', 'querystring', 'header', 'cookie'] as const

export type ParameterLocation = (typeof locations)[number]

/** A Parameter Object. */
export interface Parameter extends DescribedValue {
  readonly name: string
  readonly in: ParameterLocation
  readonly allowEmptyValue: boolean
}

/** The parameters that apply to an operation. */
export interface Parameters {
  /** In document order, those of the path item first. Parameters of the operation replace those with the same name and location. */
  readonly known: readonly Parameter[]
  /** The entries that are unknown, because their reference leads to nothing, or is misspelled. */
  readonly unknown: readonly Place[]
}

/** Reads the parameters of an operation and its path item. Those without a name or a known location are left out. */
export function readParameters(owners: { readonly operation: Place; readonly pathItem: Place }, api: Api): Parameters {
  const known = new Map<string, Parameter>()
  const unknown: Place[] = []
  for (const entry of [owners.pathItem, owners.operation].flatMap((owner) => listPlaces(owner, 'parameters'))) {
    const node = toNode(entry, api)
    const { value } = node.place
    const [name, place] = [readText(value, 'name'), readText(value, 'in')]
    const location = locations.find((one) => one === place)
    if (name === undefined || location === undefined) {
      // Neither: the entry can be a reference with a misspelled key.
      if (node.isUnresolved || (name === undefined && place === undefined)) unknown.push(entry)
      continue
    }
    // The names of headers are the same in any case.
    const key = `${location} ${location === 'header' ? name.toLowerCase() : name}`
    const own = {
      name,
      in: location,
      allowEmptyValue: readFlag(value, 'allowEmptyValue'),
    }
    known.set(key, readValue(node, location, api, own))
  }
  return { known: [...known.values()], unknown }
}

export const id = 394;
export const ids = [394];
export const modules = {

/***/ 6394:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  checkDescribed: () => (/* binding */ checkDescribed)
});

// EXTERNAL MODULE: ./build/js/source/is-object.js
var is_object = __webpack_require__(522);
// EXTERNAL MODULE: ./build/js/source/json-pointer.js
var json_pointer = __webpack_require__(8650);
// EXTERNAL MODULE: ./build/js/openapi/collect-operations.js
var collect_operations = __webpack_require__(7338);
// EXTERNAL MODULE: ./build/js/openapi/suggestions.js
var suggestions = __webpack_require__(8748);
// EXTERNAL MODULE: ./build/js/openapi/walk.js
var walk = __webpack_require__(5864);
// EXTERNAL MODULE: ./build/js/source/suggest.js
var suggest = __webpack_require__(8984);
// EXTERNAL MODULE: ./build/js/openapi/find-target.js
var find_target = __webpack_require__(5370);
// EXTERNAL MODULE: ./build/js/openapi/problem-hints.js
var problem_hints = __webpack_require__(4885);
// EXTERNAL MODULE: ./build/js/openapi/instances/match-scalar.js
var match_scalar = __webpack_require__(3160);
;// CONCATENATED MODULE: ./build/js/openapi/instances/match-schema.js






/** Maximum depth of nested schemas for one value. */
const maxDepth = 100;
/**
 * Finds the first location at which a value does not match its schema: the subset of OpenAPI 3.0, or JSON Schema 2020-12.
 *
 * The schema is interpreted, not compiled, so untrusted documents never become code. References are looked up and nothing is copied, so
 * the cost depends on the value and not on all reachable schemas. An uncertain result is a match.
 */
function matchSchema(state, { file, value: schema }, value) {
    if (schema === false)
        return (0,match_scalar/* toMismatch */.Eh)(state, (0,problem_hints/* nameType */.wQ)(value), 'no value');
    if (!(0,is_object/* isObject */.G)(schema))
        return undefined;
    if (state.stepsLeft-- <= 0 || state.depth > maxDepth || isForeign(schema)) {
        state.uncertain = true;
        return undefined;
    }
    state.depth++;
    const mismatch = state.evaluated || (state.release !== '3.0' && hasUnevaluated(schema))
        ? matchEvaluated(state, schema, file, value)
        : matchReference(state, schema, file, value);
    state.depth--;
    return mismatch;
}
/**
 * Keywords that make a match uncertain: the target of `$dynamicRef` depends on the enclosing schemas, and `dependencies` belongs to
 * older drafts.
 */
const unsupportedKeywords = ['$dynamicRef', '$recursiveRef', 'dependencies'];
function hasUnevaluated(schema) {
    return schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined;
}
/**
 * Matches a value and collects the properties or items that the schema evaluates, for `unevaluatedProperties` and `unevaluatedItems`
 * here or in an enclosing schema. If the match is uncertain, everything is evaluated.
 *
 * Source: JSON Schema 2020-12, core, section 11.
 */
function matchEvaluated(state, schema, file, value) {
    const { evaluated: around, uncertain: before } = state;
    const evaluated = new Set();
    state.evaluated = evaluated;
    state.uncertain = false;
    let mismatch = matchReference(state, schema, file, value);
    if (!mismatch && !state.uncertain)
        mismatch = matchUnevaluated(state, schema, file, value, evaluated);
    if (!mismatch && around)
        for (const step of state.uncertain ? listSteps(value) : evaluated)
            around.add(step);
    state.evaluated = around;
    state.uncertain ||= before;
    return mismatch;
}
function matchUnevaluated(state, schema, file, value, evaluated) {
    const keyword = Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties';
    const described = schema[keyword];
    if (described === undefined)
        return undefined;
    for (const step of listSteps(value)) {
        if (evaluated.has(step))
            continue;
        if (described === false && typeof step === 'string') {
            return unknownKey(state, step, (0,is_object/* isObject */.G)(schema['properties']) ? Object.keys(schema['properties']) : [], value, 'unevaluatedProperties');
        }
        const mismatch = matchPart(state, { file, value: described }, value, step);
        if (mismatch)
            return mismatch;
        evaluated.add(step);
    }
    return undefined;
}
/** The keys of a mapping or the indexes of a list. */
function listSteps(value) {
    if (Array.isArray(value))
        return value.keys();
    return (0,is_object/* isObject */.G)(value) ? Object.keys(value) : [];
}
function isForeign(schema) {
    const dialect = schema['$schema'];
    return typeof dialect === 'string' && !(0,find_target/* isKnownDialect */.Yi)(dialect);
}
function matchReference(state, schema, file, value) {
    const reference = schema['$ref'];
    if (typeof reference !== 'string')
        return matchKeywords(state, schema, file, value);
    const target = state.find(file, reference);
    const mismatch = target ? matchSchema(state, target, value) : undefined;
    if (!target)
        state.uncertain = true;
    return mismatch ?? (state.release === '3.0' ? undefined : matchKeywords(state, schema, file, value));
}
function matchKeywords(state, schema, file, value) {
    if (value === null && state.release === '3.0' && schema['nullable'] === true)
        return undefined;
    return (matchType(state, schema, value) ??
        matchChoices(state, schema, value) ??
        matchContent(state, schema, file, value) ??
        matchParts(state, schema, file, value));
}
/** The parts of a value are matched with a depth that starts again at 0. */
function matchContent(state, schema, file, value) {
    if (typeof value === 'string')
        return (0,match_scalar/* matchText */.H1)(state, schema, value);
    if (typeof value === 'number')
        return (0,match_scalar/* matchNumber */.Vh)(state, schema, value);
    if (typeof value !== 'object' || value === null)
        return undefined;
    if (Array.isArray(value))
        return matchList(state, schema, file, value);
    return (0,is_object/* isObject */.G)(value) ? matchMapping(state, schema, file, value) : undefined;
}
/** Matches a property or an item of a value. */
function matchPart(state, schema, around, step) {
    state.path.push(step);
    const mismatch = matchInside(state, schema, around[step]); // A list or a mapping.
    state.path.pop();
    return mismatch;
}
/** Matches a different value, with its own evaluated properties and items. */
function matchInside(state, schema, value) {
    const { depth, evaluated } = state;
    state.depth = 0;
    state.evaluated = undefined;
    const mismatch = matchSchema(state, schema, value);
    state.depth = depth;
    state.evaluated = evaluated;
    return mismatch;
}
function matchType(state, { type }, value) {
    if (typeof type === 'string') {
        return isOfType(type, value)
            ? undefined
            : (0,match_scalar/* toMismatch */.Eh)(state, nameFound(type, value), nameExpected(type), typeHint(state, type, value));
    }
    if (!Array.isArray(type) || type.some((one) => typeof one !== 'string' || isOfType(one, value)))
        return undefined;
    return (0,match_scalar/* toMismatch */.Eh)(state, (0,problem_hints/* nameType */.wQ)(value), type.map((one) => nameExpected(String(one))).join(' or '));
}
function isOfType(type, value) {
    switch (type) {
        case 'string':
            return typeof value === 'string';
        case 'integer':
            return typeof value === 'number' && Number.isInteger(value);
        case 'number':
            return typeof value === 'number';
        case 'boolean':
            return typeof value === 'boolean';
        case 'array':
            return Array.isArray(value);
        case 'object':
            return (0,is_object/* isObject */.G)(value);
        case 'null':
            return value === null;
        default:
            return true; // The walk has reported it.
    }
}
function nameFound(type, value) {
    return type === 'integer' && typeof value === 'number' ? `\`${value}\`` : (0,problem_hints/* nameType */.wQ)(value);
}
function nameExpected(type) {
    return expectedTypes[type] ?? `\`${type}\``;
}
const expectedTypes = {
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: '`true` or `false`',
    array: 'a list',
    object: 'a mapping',
    null: '`null`',
};
function typeHint({ release }, type, value) {
    if (value === null) {
        return release === '3.0'
            ? 'Add `nullable: true` to the schema to allow `null`'
            : `Write \`type: [${type}, "null"]\` in the schema to allow \`null\``;
    }
    if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
        return 'Put the value in quotes';
    const unquotable = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    return (type === 'integer' || type === 'number') && unquotable ? 'Remove the quotes' : undefined;
}
function matchChoices(state, schema, value) {
    const choices = schema['enum'];
    if (Array.isArray(choices) && !choices.some((choice) => (0,match_scalar/* equalJson */.FS)(choice, value))) {
        const shown = choices.slice(0, 10).map((choice) => `\`${nameJson(choice)}\``);
        return (0,match_scalar/* toMismatch */.Eh)(state, `\`${nameJson(value)}\``, `${shown.length === 1 ? '' : 'one of '}${shown.join(', ')}${choices.length > 10 ? ' …' : ''}`);
    }
    if (state.release !== '3.0' && Object.hasOwn(schema, 'const') && !(0,match_scalar/* equalJson */.FS)(schema['const'], value)) {
        return (0,match_scalar/* toMismatch */.Eh)(state, `\`${nameJson(value)}\``, `\`${nameJson(schema['const'])}\``);
    }
    return undefined;
}
function nameJson(value) {
    return (0,suggestions/* shorten */.ml)(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
function matchParts(state, schema, file, value) {
    const { allOf, anyOf, oneOf, not } = schema;
    if (state.release !== '3.0' && unsupportedKeywords.some((keyword) => schema[keyword] !== undefined))
        state.uncertain = true;
    if (Array.isArray(allOf)) {
        for (const part of allOf) {
            const mismatch = matchSchema(state, { file, value: part }, value);
            if (mismatch)
                return mismatch;
        }
    }
    const mismatch = (Array.isArray(anyOf) ? matchChoice(state, 'anyOf', anyOf, file, value) : undefined) ??
        (Array.isArray(oneOf) ? matchChoice(state, 'oneOf', oneOf, file, value) : undefined);
    if (mismatch)
        return mismatch;
    if (not !== undefined && matchesNot(state, { file, value: not }, value)) {
        return (0,match_scalar/* toMismatch */.Eh)(state, (0,problem_hints/* nameType */.wQ)(value), 'a value that does not match `not`');
    }
    return state.release === '3.0' || schema['if'] === undefined ? undefined : matchCondition(state, schema, file, value);
}
/** Whether a value certainly matches the schema of `not`, which evaluates nothing for enclosing schemas. */
function matchesNot(state, schema, value) {
    const { evaluated } = state;
    state.evaluated = undefined;
    const result = tryMatch(state, schema, value);
    state.evaluated = evaluated;
    return result === 'match';
}
function matchCondition(state, schema, file, value) {
    const result = tryMatch(state, { file, value: schema['if'] }, value);
    if (result === 'uncertain')
        return undefined;
    const part = schema[result === 'match' ? 'then' : 'else'];
    return part === undefined ? undefined : matchSchema(state, { file, value: part }, value);
}
/** Several matches of `oneOf` are not reported, because often only `format` distinguishes the schemas. */
function matchChoice(state, keyword, choices, file, value) {
    const failed = [];
    let matches = 0;
    for (const choice of choices) {
        const before = state.uncertain;
        state.uncertain = false;
        const mismatch = matchSchema(state, { file, value: choice }, value);
        if (!mismatch && ((keyword === 'anyOf' && !state.evaluated) || state.uncertain)) {
            state.uncertain ||= before;
            return undefined;
        }
        state.uncertain = before;
        if (mismatch)
            failed.push(mismatch);
        else
            matches++;
    }
    if (matches > 1 && keyword === 'oneOf')
        state.uncertain = true;
    if (matches > 0 || failed.length === 0)
        return undefined;
    // The schema that matched furthest is probably the intended one.
    const deep = failed.filter(({ path }) => path.length > state.path.length);
    const meant = failed.length === 1 ? failed[0] : deep.length === 1 ? deep[0] : undefined;
    return (meant ?? (0,match_scalar/* toMismatch */.Eh)(state, (0,problem_hints/* nameType */.wQ)(value), `a value that matches one of the ${choices.length} schemas of \`${keyword}\``));
}
function tryMatch(state, schema, value) {
    const before = state.uncertain;
    state.uncertain = false;
    const mismatch = matchSchema(state, schema, value);
    const uncertain = state.uncertain;
    state.uncertain = before || (uncertain && !mismatch);
    if (mismatch)
        return 'none';
    return uncertain ? 'uncertain' : 'match';
}
/** Matches a list against the array keywords. Source: JSON Schema 2020-12, core, section 10.3.1; validation, section 6.4. */
function matchList(state, schema, file, value) {
    const { minItems, maxItems, uniqueItems, items, prefixItems, contains } = schema;
    if (typeof minItems === 'number' && value.length < minItems)
        return (0,match_scalar/* toMismatch */.Eh)(state, countEntries(value.length), `at least ${minItems}`);
    if (typeof maxItems === 'number' && value.length > maxItems)
        return (0,match_scalar/* toMismatch */.Eh)(state, countEntries(value.length), `at most ${maxItems}`);
    if (uniqueItems === true) {
        const repeated = findRepeated(state, value);
        if (repeated !== undefined) {
            return { path: [...state.path, repeated], on: 'value', found: 'duplicate value', expected: 'unique entries' };
        }
    }
    const prefix = state.release !== '3.0' && Array.isArray(prefixItems) ? prefixItems : [];
    for (let index = 0; index < value.length; index++) {
        const described = index < prefix.length ? prefix[index] : items;
        if (described === undefined)
            continue;
        const mismatch = matchPart(state, { file, value: described }, value, index);
        if (mismatch)
            return mismatch;
        state.evaluated?.add(index);
    }
    return contains === undefined || state.release === '3.0' ? undefined : matchContains(state, schema, file, value);
}
function matchContains(state, { contains, minContains, maxContains }, file, value) {
    const before = state.uncertain;
    state.uncertain = false;
    let count = 0;
    for (const [index, entry] of value.entries()) {
        if (matchInside(state, { file, value: contains }, entry))
            continue;
        count++;
        state.evaluated?.add(index);
    }
    const uncertain = state.uncertain;
    state.uncertain ||= before;
    if (uncertain)
        return undefined;
    const least = typeof minContains === 'number' ? minContains : 1;
    if (count < least)
        return (0,match_scalar/* toMismatch */.Eh)(state, 'list', `at least ${countEntries(least)} that match \`contains\``);
    if (typeof maxContains === 'number' && count > maxContains)
        return (0,match_scalar/* toMismatch */.Eh)(state, 'list', `at most ${countEntries(maxContains)} that match \`contains\``);
    return undefined;
}
/** The index of the first duplicate entry. Long lists are not compared. */
function findRepeated(state, value) {
    if (value.length > 100) {
        state.uncertain = true;
        return undefined;
    }
    const index = value.findIndex((entry, at) => value.slice(0, at).some((other) => (0,match_scalar/* equalJson */.FS)(other, entry)));
    return index === -1 ? undefined : index;
}
function countEntries(count) {
    return count === 1 ? '1 entry' : `${count} entries`;
}
/** Matches a mapping against the object keywords. Source: JSON Schema 2020-12, core, section 10.3.2; validation, section 6.5. */
function matchMapping(state, schema, file, value) {
    const { minProperties, maxProperties } = schema;
    const mismatch = matchRequired(state, schema, file, value) ?? matchProperties(state, schema, file, value);
    if (mismatch)
        return mismatch;
    const count = Object.keys(value).length;
    if (typeof minProperties === 'number' && count < minProperties)
        return (0,match_scalar/* toMismatch */.Eh)(state, countKeys(count), `at least ${minProperties}`);
    if (typeof maxProperties === 'number' && count > maxProperties)
        return (0,match_scalar/* toMismatch */.Eh)(state, countKeys(count), `at most ${maxProperties}`);
    return state.release === '3.0' ? undefined : matchDependents(state, schema, file, value);
}
/** Read-only properties may be missing in requests and write-only ones in responses, and an example may be either. */
function matchRequired(state, schema, file, value) {
    const { required, properties } = schema;
    if (!Array.isArray(required))
        return undefined;
    for (const name of required) {
        if (typeof name !== 'string' || Object.hasOwn(value, name))
            continue;
        const property = (0,is_object/* isObject */.G)(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
        // Another subschema of an `allOf` may define it as read-only.
        if (property === undefined && state.depth > 1)
            state.uncertain = true;
        else if (isReadOrWriteOnly(state, file, property, 0))
            state.uncertain = true;
        else {
            const keys = Object.keys(value).filter((key) => !(0,is_object/* isObject */.G)(properties) || !Object.hasOwn(properties, key));
            const near = (0,suggest/* suggest */.Z)(name, keys);
            return (0,match_scalar/* toMismatch */.Eh)(state, `mapping without \`${(0,suggestions/* shorten */.ml)(name)}\``, 'all required properties', near && `Is \`${(0,suggestions/* shorten */.ml)(near)}\` a typo?`);
        }
    }
    return undefined;
}
function isReadOrWriteOnly(state, file, property, depth) {
    if (!(0,is_object/* isObject */.G)(property) || depth > 10)
        return depth > 10;
    if (property['readOnly'] === true || property['writeOnly'] === true)
        return true;
    const { $ref, allOf } = property;
    if (Array.isArray(allOf) && allOf.some((part) => isReadOrWriteOnly(state, file, part, depth + 1)))
        return true;
    if (typeof $ref !== 'string')
        return false;
    const target = state.find(file, $ref);
    return target === undefined || isReadOrWriteOnly(state, target.file, target.value, depth + 1);
}
function matchProperties(state, schema, file, value) {
    const properties = (0,is_object/* isObject */.G)(schema['properties']) ? schema['properties'] : undefined;
    const patterns = state.release !== '3.0' && (0,is_object/* isObject */.G)(schema['patternProperties']) ? schema['patternProperties'] : undefined;
    const additional = schema['additionalProperties'];
    for (const key in value) {
        const described = [];
        if (properties && Object.hasOwn(properties, key))
            described.push(properties[key]);
        let known = described.length > 0;
        if (patterns) {
            for (const pattern of Object.keys(patterns)) {
                const matches = (0,match_scalar/* matchPattern */.gH)(pattern, key);
                if (matches === undefined) {
                    state.uncertain = true;
                    known = true;
                }
                else if (matches)
                    described.push(patterns[pattern]);
            }
        }
        if (!known && described.length === 0 && additional !== undefined) {
            if (additional === false)
                return unknownKey(state, key, properties ? Object.keys(properties) : [], value, 'additionalProperties');
            described.push(additional);
        }
        for (const part of described) {
            const mismatch = matchPart(state, { file, value: part }, value, key);
            if (mismatch)
                return mismatch;
        }
        if (described.length > 0)
            state.evaluated?.add(key);
    }
    return undefined;
}
function unknownKey(state, key, names, value, keyword) {
    const near = (0,suggest/* suggest */.Z)(key, names.filter((name) => !Object.hasOwn(Object(value), name)));
    return {
        path: [...state.path, key],
        on: 'key',
        found: `property \`${(0,suggestions/* shorten */.ml)(key)}\``,
        expected: `only properties of the schema (\`${keyword}: false\`)`,
        ...(near === undefined ? {} : { hint: (0,suggestions/* didYouMean */.au)(near) ?? '' }),
    };
}
function matchDependents(state, schema, file, value) {
    const { dependentRequired, dependentSchemas, propertyNames } = schema;
    for (const [key, names] of (0,is_object/* isObject */.G)(dependentRequired) ? Object.entries(dependentRequired) : []) {
        if (!Object.hasOwn(value, key) || !Array.isArray(names))
            continue;
        const missing = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
        if (missing !== undefined)
            return (0,match_scalar/* toMismatch */.Eh)(state, `mapping without \`${(0,suggestions/* shorten */.ml)(String(missing))}\``, `it whenever \`${(0,suggestions/* shorten */.ml)(key)}\` is present`);
    }
    for (const [key, part] of (0,is_object/* isObject */.G)(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
        if (!Object.hasOwn(value, key))
            continue;
        const { depth } = state;
        state.depth = 0;
        const mismatch = matchSchema(state, { file, value: part }, value);
        state.depth = depth;
        if (mismatch)
            return mismatch;
    }
    if (propertyNames === undefined)
        return undefined;
    for (const key of Object.keys(value)) {
        const mismatch = matchInside(state, { file, value: propertyNames }, key);
        if (mismatch)
            return { ...mismatch, path: [...state.path, key], on: 'key' };
    }
    return undefined;
}
function countKeys(count) {
    return count === 1 ? '1 property' : `${count} properties`;
}

;// CONCATENATED MODULE: ./build/js/openapi/instances/check-described.js






/** Limit of matched schemas for all values of a description, about one second of work. */
const maxSteps = 2_000_000;
/**
 * Reports examples, defaults and enum values that do not match their schemas, each at its first mismatch.
 *
 * @see OpenAPI 3.1.1, "Media Type Object", "Parameter Object" and "Schema Object": `example`, `examples`, `default`, `enum`
 */
function checkDescribed({ collected, follow, release }, find, report) {
    const state = { release, find, stepsLeft: maxSteps, uncertain: false, path: [], depth: 0, evaluated: undefined };
    for (const object of collected.described) {
        for (const described of listDescribed(object, follow)) {
            const mismatch = matchDescribed(state, described);
            if (mismatch)
                report(toFinding(described, mismatch, `OpenAPI ${walk/* citedEdition */.q2[release]}, ${object.kind} Object`));
        }
    }
}
function matchDescribed(state, { place, schema, serialized }) {
    const mismatch = matchSchema(state, schema, place.value);
    if (!mismatch || serialized === 'never' || typeof place.value !== 'string')
        return mismatch;
    const parsed = parseJson(place.value);
    // `a,b` may be a list that `style` serializes.
    const isStyled = serialized === 'parameter' && mismatch.path.length === 0 && /^a (?:list|mapping)/.test(mismatch.expected);
    if (parsed === undefined)
        return isStyled ? undefined : mismatch;
    return matchSchema(state, schema, parsed) ? mismatch : undefined;
}
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
const fields = { 'example-mismatch': 'example', 'default-mismatch': '`default`', 'enum-mismatch': 'an entry of `enum`' };
function toFinding({ code, place, schema }, { path, on, found, expected, hint }, section) {
    const last = path.at(-1);
    const field = code === 'example-mismatch' ? 'an example' : fields[code];
    const name = last === undefined ? field : typeof last === 'number' ? `an entry of ${field}` : `\`${(0,suggestions/* shorten */.ml)(last)}\` in ${field}`;
    const message = on === 'key'
        ? `Unexpected ${found} in ${field}, expected ${expected}`
        : `Unexpected ${found} for ${name}, expected ${expected}`;
    const pointer = partPointer(place.pointer, path);
    // The schema is visible if it contains the value.
    const related = place.pointer.startsWith(`${schema.pointer}/`) && place.file === schema.file ? [] : [toRelated(schema)];
    return { code, message, file: place.file, pointer, on, section, related, ...(hint === undefined ? {} : { hint }) };
}
function toRelated({ file, pointer }) {
    return { file, pointer, on: 'key', message: 'the schema' };
}
/** Lists the examples, defaults and enum values of a collected object. */
function listDescribed(object, follow) {
    return object.kind === 'Schema' ? listOfSchema(object) : listOfHolder(object, follow);
}
function listOfSchema(schema) {
    const found = [];
    const add = (code, place) => {
        found.push({ code, place, schema, serialized: 'never' });
    };
    if (Object.hasOwn(schema.value, 'example'))
        add('example-mismatch', (0,collect_operations/* childPlace */.IF)(schema, 'example'));
    if (Array.isArray(schema.value['examples'])) {
        const examples = (0,collect_operations/* childPlace */.IF)(schema, 'examples');
        for (const index of schema.value['examples'].keys())
            add('example-mismatch', (0,collect_operations/* childPlace */.IF)(examples, index));
    }
    if (Object.hasOwn(schema.value, 'default'))
        add('default-mismatch', (0,collect_operations/* childPlace */.IF)(schema, 'default'));
    const { type, nullable } = schema.value;
    const listed = schema.value['enum'];
    if (type !== undefined && Array.isArray(listed)) {
        const choices = (0,collect_operations/* childPlace */.IF)(schema, 'enum');
        const ofType = { ...schema, value: { type, nullable } };
        listed.forEach((_, index) => {
            found.push({ code: 'enum-mismatch', place: (0,collect_operations/* childPlace */.IF)(choices, index), schema: ofType, serialized: 'never' });
        });
    }
    return found;
}
function listOfHolder(holder, follow) {
    const schema = (0,collect_operations/* childPlace */.IF)(holder, 'schema');
    const serialized = serializationOf(holder);
    if (schema.value === undefined || serialized === undefined)
        return [];
    const found = [];
    const add = (place, how = serialized) => found.push({ code: 'example-mismatch', place, schema, serialized: how });
    if (Object.hasOwn(holder.value, 'example'))
        add((0,collect_operations/* childPlace */.IF)(holder, 'example'));
    const examples = follow.end((0,collect_operations/* childPlace */.IF)(holder, 'examples'));
    for (const name of (0,is_object/* isObject */.G)(examples.value) ? Object.keys(examples.value) : []) {
        const example = follow.end((0,collect_operations/* childPlace */.IF)(examples, name));
        if (!(0,is_object/* isObject */.G)(example.value))
            continue;
        if (Object.hasOwn(example.value, 'value'))
            add((0,collect_operations/* childPlace */.IF)(example, 'value'));
        if (Object.hasOwn(example.value, 'dataValue'))
            add((0,collect_operations/* childPlace */.IF)(example, 'dataValue'), 'never');
    }
    return found;
}
/** Examples of media types other than JSON are strings that the schema does not describe. */
function serializationOf({ kind, pointer }) {
    if (kind !== 'Media Type')
        return 'parameter';
    const name = (0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? '';
    return /[/+]json\b/i.test(name) || name === '*/*' ? 'json' : undefined;
}
/** The pointer to the invalid part of a value. */
function partPointer(pointer, path) {
    return path.reduce(json_pointer/* pointerChild */.QX, pointer);
}


/***/ })

};

export const id = 605;
export const ids = [605];
export const modules = {

/***/ 1605:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  checkDescribed: () => (/* binding */ checkDescribed)
});

// EXTERNAL MODULE: ./build/js/openapi/name-value.js
var name_value = __webpack_require__(8926);
// EXTERNAL MODULE: ./build/js/openapi/section-of.js
var section_of = __webpack_require__(506);
// EXTERNAL MODULE: ./build/js/text/is-object.js
var is_object = __webpack_require__(2732);
// EXTERNAL MODULE: ./build/js/text/json-pointer.js
var json_pointer = __webpack_require__(8816);
// EXTERNAL MODULE: ./build/js/openapi/collect-operations.js
var collect_operations = __webpack_require__(7338);
;// CONCATENATED MODULE: ./build/js/openapi/instances/list-described.js



/** Lists the examples, defaults and choices that a noted object has. */
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
/** Of other media types than JSON an example is text that the schema does not describe. */
function serializationOf({ kind, pointer }) {
    if (kind !== 'Media Type')
        return 'parameter';
    const name = (0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? '';
    return /[/+]json\b/i.test(name) || name === '*/*' ? 'json' : undefined;
}
/** The pointer of the part of a value that is wrong. */
function partPointer(pointer, path) {
    return path.reduce(json_pointer/* pointerChild */.QX, pointer);
}

// EXTERNAL MODULE: ./build/js/openapi/fault-hints.js
var fault_hints = __webpack_require__(8790);
// EXTERNAL MODULE: ./build/js/openapi/is-known-dialect.js
var is_known_dialect = __webpack_require__(1620);
;// CONCATENATED MODULE: ./build/js/openapi/instances/equal-json.js

/** Whether two values are the same in JSON: lists by their entries, mappings whatever the order of their keys. */
function equalJson(left, right) {
    if (left === right)
        return true;
    if (Array.isArray(left) && Array.isArray(right)) {
        return left.length === right.length && left.every((entry, index) => equalJson(entry, right[index]));
    }
    if (!(0,is_object/* isObject */.G)(left) || !(0,is_object/* isObject */.G)(right))
        return false;
    const keys = Object.keys(left);
    return (keys.length === Object.keys(right).length &&
        keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key])));
}

;// CONCATENATED MODULE: ./build/js/openapi/instances/match-state.js
/** What is wrong with the value the match stands at. */
function toMismatch(state, found, expected, hint) {
    return { path: [...state.path], on: 'value', found, expected, ...(hint === undefined ? {} : { hint }) };
}

;// CONCATENATED MODULE: ./build/js/openapi/instances/match-list.js


/** Matches a list against the keywords for lists. Source: JSON Schema 2020-12, core, section 10.3.1; validation, section 6.4. */
function matchList(state, schema, file, value, match) {
    const { minItems, maxItems, uniqueItems, items, prefixItems, contains } = schema;
    if (typeof minItems === 'number' && value.length < minItems)
        return toMismatch(state, countEntries(value.length), `at least ${minItems}`);
    if (typeof maxItems === 'number' && value.length > maxItems)
        return toMismatch(state, countEntries(value.length), `at most ${maxItems}`);
    if (uniqueItems === true) {
        const repeated = findRepeated(state, value);
        if (repeated !== undefined) {
            return { path: [...state.path, repeated], on: 'value', found: 'repeated entry', expected: 'each only once' };
        }
    }
    const prefix = state.release !== '3.0' && Array.isArray(prefixItems) ? prefixItems : [];
    for (let index = 0; index < value.length; index++) {
        const described = index < prefix.length ? prefix[index] : items;
        if (described === undefined)
            continue;
        state.path.push(index);
        const mismatch = match(state, { file, value: described }, value[index]);
        state.path.pop();
        if (mismatch)
            return mismatch;
    }
    return contains === undefined || state.release === '3.0' ? undefined : matchContains(state, schema, file, value, match);
}
function matchContains(state, { contains, minContains, maxContains }, file, value, match) {
    const before = state.uncertain;
    state.uncertain = false;
    const count = value.filter((entry) => !match(state, { file, value: contains }, entry)).length;
    const uncertain = state.uncertain;
    state.uncertain ||= before;
    if (uncertain)
        return undefined;
    const least = typeof minContains === 'number' ? minContains : 1;
    if (count < least)
        return toMismatch(state, 'list', `at least ${countEntries(least)} that \`contains\` describes`);
    if (typeof maxContains === 'number' && count > maxContains)
        return toMismatch(state, 'list', `at most ${countEntries(maxContains)} that \`contains\` describes`);
    return undefined;
}
/** The index of the first entry that stands in the list before. Long lists are not compared. */
function findRepeated(state, value) {
    if (value.length > 100) {
        state.uncertain = true;
        return undefined;
    }
    const index = value.findIndex((entry, at) => value.slice(0, at).some((other) => equalJson(other, entry)));
    return index === -1 ? undefined : index;
}
function countEntries(count) {
    return count === 1 ? '1 entry' : `${count} entries`;
}

// EXTERNAL MODULE: ./build/js/text/suggest.js
var suggest = __webpack_require__(6014);
// EXTERNAL MODULE: ./build/js/openapi/instances/match-pattern.js
var match_pattern = __webpack_require__(1084);
;// CONCATENATED MODULE: ./build/js/openapi/instances/match-mapping.js





/** Matches a mapping against the keywords for mappings. Source: JSON Schema 2020-12, core, section 10.3.2; validation, section 6.5. */
function matchMapping(state, schema, file, value, match) {
    const { minProperties, maxProperties } = schema;
    const mismatch = matchRequired(state, schema, file, value) ?? matchProperties(state, schema, file, value, match);
    if (mismatch)
        return mismatch;
    const count = Object.keys(value).length;
    if (typeof minProperties === 'number' && count < minProperties)
        return toMismatch(state, countKeys(count), `at least ${minProperties}`);
    if (typeof maxProperties === 'number' && count > maxProperties)
        return toMismatch(state, countKeys(count), `at most ${maxProperties}`);
    return state.release === '3.0' ? undefined : matchDependents(state, schema, file, value, match);
}
/** What is read-only need not be in a request, what is write-only not in a response; an example may be of either. */
function matchRequired(state, schema, file, value) {
    const { required, properties } = schema;
    if (!Array.isArray(required))
        return undefined;
    for (const name of required) {
        if (typeof name !== 'string' || Object.hasOwn(value, name))
            continue;
        const property = (0,is_object/* isObject */.G)(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
        // Described by another part of an `allOf`, where it may be read-only.
        if (property === undefined && state.depth > 1)
            state.uncertain = true;
        else if (isOneWay(state, file, property, 0))
            state.uncertain = true;
        else {
            const keys = Object.keys(value).filter((key) => !(0,is_object/* isObject */.G)(properties) || !Object.hasOwn(properties, key));
            const near = (0,suggest/* suggest */.Z)(name, keys);
            return toMismatch(state, `mapping without \`${(0,name_value/* shorten */.ml)(name)}\``, `all that \`required\` names`, near && `is \`${(0,name_value/* shorten */.ml)(near)}\` a typo?`);
        }
    }
    return undefined;
}
function isOneWay(state, file, property, depth) {
    if (!(0,is_object/* isObject */.G)(property) || depth > 10)
        return depth > 10;
    if (property['readOnly'] === true || property['writeOnly'] === true)
        return true;
    const { $ref, allOf } = property;
    if (Array.isArray(allOf) && allOf.some((part) => isOneWay(state, file, part, depth + 1)))
        return true;
    if (typeof $ref !== 'string')
        return false;
    const target = state.find(file, $ref);
    return target === undefined || isOneWay(state, target.file, target.value, depth + 1);
}
function matchProperties(state, schema, file, value, match) {
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
                const matches = (0,match_pattern/* matchPattern */.g)(pattern, key);
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
                return unknownKey(state, key, properties ? Object.keys(properties) : [], value);
            described.push(additional);
        }
        for (const part of described) {
            state.path.push(key);
            const mismatch = match(state, { file, value: part }, value[key]);
            state.path.pop();
            if (mismatch)
                return mismatch;
        }
    }
    return undefined;
}
function unknownKey(state, key, names, value) {
    const near = (0,suggest/* suggest */.Z)(key, names.filter((name) => !Object.hasOwn(value, name)));
    return {
        path: [...state.path, key],
        on: 'key',
        found: `property \`${(0,name_value/* shorten */.ml)(key)}\``,
        expected: 'only those of the schema (`additionalProperties: false`)',
        ...(near === undefined ? {} : { hint: (0,name_value/* didYouMean */.au)(near) ?? '' }),
    };
}
function matchDependents(state, schema, file, value, match) {
    const { dependentRequired, dependentSchemas, propertyNames } = schema;
    for (const [key, names] of (0,is_object/* isObject */.G)(dependentRequired) ? Object.entries(dependentRequired) : []) {
        if (!Object.hasOwn(value, key) || !Array.isArray(names))
            continue;
        const missing = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
        if (missing !== undefined)
            return toMismatch(state, `mapping without \`${(0,name_value/* shorten */.ml)(String(missing))}\``, `it beside \`${(0,name_value/* shorten */.ml)(key)}\``);
    }
    for (const [key, part] of (0,is_object/* isObject */.G)(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
        const mismatch = Object.hasOwn(value, key) ? match(state, { file, value: part }, value) : undefined;
        if (mismatch)
            return mismatch;
    }
    if (propertyNames === undefined)
        return undefined;
    for (const key of Object.keys(value)) {
        const mismatch = match(state, { file, value: propertyNames }, key);
        if (mismatch)
            return { ...mismatch, path: [...state.path, key], on: 'key' };
    }
    return undefined;
}
function countKeys(count) {
    return count === 1 ? '1 property' : `${count} properties`;
}

;// CONCATENATED MODULE: ./build/js/openapi/instances/match-scalar.js



/** Matches a number against the keywords for numbers. Source: JSON Schema 2020-12, validation, section 6.2; OpenAPI 3.0.4, "Schema Object". */
function matchNumber(state, schema, value) {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const found = `\`${value}\``;
    if (typeof minimum === 'number' && (value < minimum || (exclusiveMinimum === true && value === minimum))) {
        return toMismatch(state, found, exclusiveMinimum === true ? `more than ${minimum}` : `at least ${minimum}`);
    }
    if (typeof maximum === 'number' && (value > maximum || (exclusiveMaximum === true && value === maximum))) {
        return toMismatch(state, found, exclusiveMaximum === true ? `less than ${maximum}` : `at most ${maximum}`);
    }
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
        return toMismatch(state, found, `more than ${exclusiveMinimum}`);
    if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
        return toMismatch(state, found, `less than ${exclusiveMaximum}`);
    if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf))
        return toMismatch(state, found, `a multiple of ${multipleOf}`);
    return undefined;
}
/** 0.3 is a multiple of 0.1 whatever its last bit says. */
function isMultiple(value, of) {
    const times = value / of;
    return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
/** Matches a text against the keywords for text. `format` is left alone: it is an annotation. Source: JSON Schema 2020-12, validation, section 6.3. */
function matchText(state, schema, value) {
    const { minLength, maxLength, pattern } = schema;
    if (typeof minLength === 'number' && value.length < 2 * minLength && countCharacters(value) < minLength) {
        return toMismatch(state, nameText(value), `at least ${minLength} characters`);
    }
    if (typeof maxLength === 'number' && value.length > maxLength && countCharacters(value) > maxLength) {
        return toMismatch(state, nameText(value), `at most ${maxLength} characters`);
    }
    if (typeof pattern !== 'string')
        return undefined;
    const matches = (0,match_pattern/* matchPattern */.g)(pattern, value);
    if (matches === undefined)
        state.uncertain = true;
    return matches === false ? toMismatch(state, nameText(value), `text that matches \`${(0,name_value/* shorten */.ml)(pattern)}\``) : undefined;
}
function countCharacters(text) {
    let count = 0;
    for (const _ of text)
        count++;
    return count;
}
function nameText(text) {
    return text === '' ? 'empty text' : `\`${(0,name_value/* shorten */.ml)(text)}\``;
}

;// CONCATENATED MODULE: ./build/js/openapi/instances/match-schema.js









/** How deep schemas for one value may stand in each other. */
const maxDepth = 100;
/**
 * Finds the first place where a value does not match its schema: the subset of OpenAPI 3.0, or JSON Schema 2020-12.
 *
 * Interpreted, not compiled: a document of a stranger becomes no program, references are looked up and nothing is copied, and the work is
 * that of the value and not of all schemas that its schema can reach. What cannot be told for sure counts as a match.
 */
function matchSchema(state, { file, value: schema }, value) {
    if (schema === false)
        return toMismatch(state, (0,fault_hints/* nameType */.wQ)(value), 'no value here');
    if (!(0,is_object/* isObject */.G)(schema))
        return undefined;
    if (state.stepsLeft-- <= 0 || state.depth > maxDepth || isForeign(schema)) {
        state.uncertain = true;
        return undefined;
    }
    state.depth++;
    const mismatch = matchReference(state, schema, file, value);
    state.depth--;
    return mismatch;
}
/** `unevaluatedProperties` and the like depend on what others have looked at, and `$dynamicRef` on the way here. */
const untold = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems', 'dependencies'];
function isForeign(schema) {
    const dialect = schema['$schema'];
    return typeof dialect === 'string' && !(0,is_known_dialect/* isKnownDialect */.Y)(dialect);
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
/** A value's own parts keep their place in lists and mappings, so the depth of schemas for one value starts again. */
function matchContent(state, schema, file, value) {
    if (typeof value === 'string')
        return matchText(state, schema, value);
    if (typeof value === 'number')
        return matchNumber(state, schema, value);
    if (typeof value !== 'object' || value === null)
        return undefined;
    if (Array.isArray(value))
        return matchList(state, schema, file, value, matchInside);
    return (0,is_object/* isObject */.G)(value) ? matchMapping(state, schema, file, value, matchInside) : undefined;
}
function matchInside(state, schema, value) {
    const { depth } = state;
    state.depth = 0;
    const mismatch = matchSchema(state, schema, value);
    state.depth = depth;
    return mismatch;
}
function matchType(state, { type }, value) {
    if (typeof type === 'string') {
        return isOfType(type, value)
            ? undefined
            : toMismatch(state, nameFound(type, value), nameExpected(type), typeHint(state, type, value));
    }
    if (!Array.isArray(type) || type.some((one) => typeof one !== 'string' || isOfType(one, value)))
        return undefined;
    return toMismatch(state, (0,fault_hints/* nameType */.wQ)(value), type.map((one) => nameExpected(String(one))).join(' or '));
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
    return type === 'integer' && typeof value === 'number' ? `\`${value}\`` : (0,fault_hints/* nameType */.wQ)(value);
}
function nameExpected(type) {
    return expectedTypes[type] ?? `\`${type}\``;
}
const expectedTypes = {
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: '`true` or `false`',
    array: 'a list',
    object: 'a mapping',
    null: '`null`',
};
function typeHint({ release }, type, value) {
    if (value === null) {
        return release === '3.0'
            ? 'for a value that may be empty write `nullable: true`'
            : `for a value that may be empty write \`type: [${type}, "null"]\``;
    }
    if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
        return 'put it in quotes';
    const unquotable = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
    return (type === 'integer' || type === 'number') && unquotable ? 'remove the quotes' : undefined;
}
function matchChoices(state, schema, value) {
    const choices = schema['enum'];
    if (Array.isArray(choices) && !choices.some((choice) => equalJson(choice, value))) {
        const shown = choices.slice(0, 10).map((choice) => `\`${nameJson(choice)}\``);
        return toMismatch(state, `\`${nameJson(value)}\``, `${shown.join(', ')}${choices.length > 10 ? ' …' : ''}`);
    }
    if (state.release !== '3.0' && Object.hasOwn(schema, 'const') && !equalJson(schema['const'], value)) {
        return toMismatch(state, `\`${nameJson(value)}\``, `\`${nameJson(schema['const'])}\``);
    }
    return undefined;
}
function nameJson(value) {
    return (0,name_value/* shorten */.ml)(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
function matchParts(state, schema, file, value) {
    const { allOf, anyOf, oneOf, not } = schema;
    if (state.release !== '3.0' && untold.some((keyword) => schema[keyword] !== undefined))
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
    if (not !== undefined && tryMatch(state, { file, value: not }, value) === 'match') {
        return toMismatch(state, (0,fault_hints/* nameType */.wQ)(value), 'what `not` does not describe');
    }
    return state.release === '3.0' || schema['if'] === undefined ? undefined : matchCondition(state, schema, file, value);
}
function matchCondition(state, schema, file, value) {
    const result = tryMatch(state, { file, value: schema['if'] }, value);
    if (result === 'uncertain')
        return undefined;
    const part = schema[result === 'match' ? 'then' : 'else'];
    return part === undefined ? undefined : matchSchema(state, { file, value: part }, value);
}
/** That a value matches several schemas of `oneOf` is not told: most often only their `format` keeps them apart. */
function matchChoice(state, keyword, choices, file, value) {
    const failed = [];
    let matches = 0;
    for (const choice of choices) {
        const before = state.uncertain;
        state.uncertain = false;
        const mismatch = matchSchema(state, { file, value: choice }, value);
        if (!mismatch && (keyword === 'anyOf' || state.uncertain)) {
            state.uncertain ||= before;
            return undefined;
        }
        state.uncertain = before;
        if (mismatch)
            failed.push(mismatch);
        else
            matches++;
    }
    if (matches > 1)
        state.uncertain = true;
    if (matches > 0 || failed.length === 0)
        return undefined;
    // One that got further than all others, into the value or past its type, is the one that was meant.
    const deep = failed.filter(({ path }) => path.length > state.path.length);
    const meant = failed.length === 1 ? failed[0] : deep.length === 1 ? deep[0] : undefined;
    return meant ?? toMismatch(state, (0,fault_hints/* nameType */.wQ)(value), `what one of the ${choices.length} schemas of \`${keyword}\` describes`);
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

;// CONCATENATED MODULE: ./build/js/openapi/instances/check-described.js




/** How many schemas are looked into for all values of a description: about a second's work. */
const maxSteps = 2_000_000;
/**
 * Reports examples, defaults and choices that their schemas do not allow, for each value the first place.
 *
 * @see OpenAPI 3.1.1, "Media Type Object", "Parameter Object" and "Schema Object": `example`, `examples`, `default`, `enum`
 */
function checkDescribed({ met, follow, release }, find, report) {
    const state = { release, find, stepsLeft: maxSteps, uncertain: false, path: [], depth: 0 };
    for (const object of met.described) {
        for (const described of listDescribed(object, follow)) {
            const mismatch = matchDescribed(state, described);
            if (mismatch)
                report(toFinding(described, mismatch, `OpenAPI ${section_of/* citedEdition */.q[release]}, ${object.kind} Object`));
        }
    }
}
function matchDescribed(state, { place, schema, serialized }) {
    const mismatch = matchSchema(state, schema, place.value);
    if (!mismatch || serialized === 'never' || typeof place.value !== 'string')
        return mismatch;
    const parsed = parseJson(place.value);
    // `a,b` may well be the list that `style` makes of two.
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
    const name = last === undefined ? field : typeof last === 'number' ? `an entry in ${field}` : `\`${(0,name_value/* shorten */.ml)(last)}\` in ${field}`;
    const message = on === 'key'
        ? `Unexpected ${found} in ${field}, expected ${expected}`
        : `Unexpected ${found} for ${name}, expected ${expected}`;
    const pointer = partPointer(place.pointer, path);
    // A schema around its own values is in sight.
    const related = place.pointer.startsWith(`${schema.pointer}/`) && place.file === schema.file ? [] : [toRelated(schema)];
    return { code, message, file: place.file, pointer, on, section, related, ...(hint === undefined ? {} : { hint }) };
}
function toRelated({ file, pointer }) {
    return { file, pointer, on: 'key', message: 'the schema' };
}


/***/ })

};

export const id = 585;
export const ids = [585];
export const modules = {

/***/ 6585:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  dropUnused: () => (/* binding */ dropUnused),
  explainIndentation: () => (/* binding */ explainIndentation)
});

// EXTERNAL MODULE: ./build/js/source/group-by.js
var group_by = __webpack_require__(4951);
// EXTERNAL MODULE: ./build/js/source/json-pointer.js
var json_pointer = __webpack_require__(8650);
// EXTERNAL MODULE: ./build/js/source/lazy.js
var lazy = __webpack_require__(9470);
// EXTERNAL MODULE: ./build/js/source/parse-source.js
var parse_source = __webpack_require__(2511);
// EXTERNAL MODULE: ./build/js/source/is-object.js
var is_object = __webpack_require__(522);
// EXTERNAL MODULE: ./build/js/openapi/suggestions.js
var suggestions = __webpack_require__(8748);
;// CONCATENATED MODULE: ./build/js/openapi/find-misplaced.js



/**
 * Determines from a diagnostic whether the line of its key has wrong indentation, and where the key belongs.
 *
 * `undefined` if no object around it allows the key.
 */
function findMisplaced(finding, document, listUnresolved) {
    for (const pointer of finding.code === 'missing-field'
        ? [finding.pointer]
        : [finding.pointer, (0,json_pointer/* parentPointer */.Yg)(finding.pointer)]) {
        const key = (0,json_pointer/* parsePointer */.vp)(pointer).at(-1);
        const inside = (0,json_pointer/* parentPointer */.Yg)(pointer);
        const parent = (0,json_pointer/* valueAtPointer */.sZ)(document.parsed.value, inside);
        if (key === undefined || !(0,is_object/* isObject */.G)(parent) || !Object.hasOwn(parent, key))
            continue;
        const place = { file: finding.file, document, pointer, inside, parent, key, value: parent[key], listUnresolved };
        const isOwn = pointer === finding.pointer;
        const misplaced = isOwn && finding.code !== 'missing-field' ? findAround(place, finding) : findAmongNames(place);
        if (misplaced)
            return misplaced;
    }
    return undefined;
}
function findAround(place, { code, hint }) {
    const { document, inside, key, value } = place;
    const spot = expectationAt(document, inside);
    const shape = spot && (shapeIn(spot, key) ?? shapeOfAnyName(spot, key));
    if (value === null && shape) {
        const strays = listStrays(place, shape);
        if (strays.length > 0)
            return toEmptiedKey(place, strays);
    }
    if (code === 'wrong-type' && value !== null)
        return findAmongNames(place);
    // A misspelled field or a field of a later release does not belong to another object.
    const hasSpecificHint = hint !== undefined && !/^(?:Remove it, or prefix|Write `\/|Move `\w+` under `schema`)/.test(hint);
    if (value !== null && hasSpecificHint)
        return undefined;
    const outer = findOuterParent(place);
    if (code === 'unknown-field')
        return outer ?? findInnerParent(place);
    return spot?.isMap && outer && outer.strays.length > 0 ? outer : undefined;
}
function toEmptiedKey({ file, pointer, inside, key }, names) {
    const listed = names.slice(0, 3).map((name) => `\`${(0,suggestions/* shorten */.ml)(name)}\``);
    const hint = `Indent its entries: ${listed.join(', ')}${names.length > listed.length ? ', …' : ''}`;
    return { file, pointer, key, isEmpty: true, home: pointer, strays: names.map((name) => (0,json_pointer/* pointerChild */.QX)(inside, name)), hint };
}
/** Looks for an enclosing object that defines the field and lacks it, or an enclosing mapping of names. */
function findOuterParent(place) {
    const { file, document, pointer, inside, key, value } = place;
    for (let at = inside; at !== '';) {
        at = (0,json_pointer/* parentPointer */.Yg)(at);
        const spot = expectationAt(document, at);
        const around = (0,json_pointer/* valueAtPointer */.sZ)(document.parsed.value, at);
        if (!spot || !(0,is_object/* isObject */.G)(around))
            continue;
        const shape = shapeIn(spot, key);
        const home = (0,json_pointer/* pointerChild */.QX)(at, key);
        if (!shape || Object.hasOwn(around, key))
            return undefined;
        if (!spot.table && value !== null && !place.listUnresolved().has(home))
            continue;
        const what = spot.table
            ? `a field of the enclosing ${spot.table.title}`
            : `an entry of \`${(0,suggestions/* shorten */.ml)((0,json_pointer/* parsePointer */.vp)(at).at(-1) ?? '')}\``;
        const strays = value === null ? listStrays(place, shape) : [];
        return {
            file,
            pointer,
            key,
            isEmpty: value === null,
            home,
            strays: strays.map((name) => (0,json_pointer/* pointerChild */.QX)(inside, name)),
            hint: `Indent it less: it is ${what}`,
        };
    }
    return undefined;
}
/** Looks for an earlier sibling that defines the field and lacks it, or a mapping of names that should contain it. */
function findInnerParent({ file, document, pointer, inside, parent, key, value, listUnresolved, }) {
    let found;
    for (const [name, before] of Object.entries(parent)) {
        if (name === key)
            break;
        if (!(0,is_object/* isObject */.G)(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref'))
            continue;
        const spot = expectationAt(document, (0,json_pointer/* pointerChild */.QX)(inside, name));
        const home = (0,json_pointer/* pointerChild */.QX)((0,json_pointer/* pointerChild */.QX)(inside, name), key);
        const fits = spot?.table ? shapeIn(spot, key) !== undefined : spot?.isMap && listUnresolved().has(home);
        if (!spot || !fits)
            continue;
        const what = spot.table ? `a field of the ${spot.table.title} above` : `an entry of \`${(0,suggestions/* shorten */.ml)(name)}\``;
        found = { file, pointer, key, isEmpty: value === null, home, strays: [], hint: `Indent it: it is ${what}` };
    }
    return found;
}
/** Finds a field that is next to the name of its object in a mapping of names. */
function findAmongNames({ file, document, pointer, inside, parent, key }) {
    const spot = expectationAt(document, inside);
    if (!spot?.isMap || !spot.entries)
        return undefined;
    const entry = toExpectation(spot.entries);
    const keys = Object.keys(parent);
    const name = keys[keys.indexOf(key) - 1];
    const before = name === undefined ? undefined : parent[name];
    if (name === undefined || !entry.table || !shapeIn(entry, key))
        return undefined;
    if (!(0,is_object/* isObject */.G)(before) || Object.hasOwn(before, key) || Object.hasOwn(before, '$ref'))
        return undefined;
    return {
        file,
        pointer,
        key,
        isEmpty: false,
        home: (0,json_pointer/* pointerChild */.QX)((0,json_pointer/* pointerChild */.QX)(inside, name), key),
        strays: [pointer],
        hint: `Indent it: it is a field of the ${entry.table.title} above`,
        message: `Unexpected \`${(0,suggestions/* shorten */.ml)(key)}\` next to \`${(0,suggestions/* shorten */.ml)(name)}\`, expected inside it`,
    };
}
/** Lists the keys after an empty key that belong inside it. Numeric keys always come first in a JavaScript object. */
function listStrays({ document, inside, parent, key }, shape) {
    const keys = Object.keys(parent);
    const behind = keys.indexOf(key);
    const spot = expectationAt(document, inside);
    const inner = toExpectation(shape);
    return keys.filter((other, index) => {
        if (other === key || (index < behind && !/^\d+$/.test(other)))
            return false;
        if (other === '$ref')
            return inner.table !== undefined && inner.table.reference !== 'none';
        const isInPlace = spot?.table !== undefined && shapeIn(spot, other) !== undefined;
        return !isInPlace && shapeIn(inner, other) !== undefined && shape.kind !== 'list';
    });
}
/** Returns what is expected at a pointer, starting from the nearest walked location around it. */
function expectationAt({ walkedFrom }, pointer) {
    for (let from = pointer;; from = (0,json_pointer/* parentPointer */.Yg)(from)) {
        const top = walkedFrom.get(from);
        if (top) {
            let spot = { table: top, entries: undefined, isMap: false };
            for (const segment of (0,json_pointer/* parsePointer */.vp)(pointer.slice(from.length))) {
                const shape = spot && (shapeIn(spot, segment) ?? shapeOfAnyName(spot, segment));
                spot = shape && toExpectation(shape);
            }
            if (spot)
                return spot;
        }
        if (from === '')
            return undefined;
    }
}
/** The shape of a field or entry, if this exact name is defined. */
function shapeIn({ table, entries }, name) {
    if (!table)
        return entries;
    if (name.startsWith('x-'))
        return undefined;
    const field = table.fields.get(name) ??
        [...(table.variants?.tables.values() ?? [])].find(({ fields }) => fields.has(name))?.fields.get(name);
    // A pattern that matches any name says nothing about this one.
    return field?.shape ?? table.patterns.find(({ pattern }) => pattern.test(name) && !pattern.test('name'))?.shape;
}
/** The shape from a pattern that matches any name: the keys of a Callback Object can be any string. */
function shapeOfAnyName({ table }, name) {
    return name.startsWith('x-') ? undefined : table?.patterns.find(({ pattern }) => pattern.test(name))?.shape;
}
/** What is expected inside a value of a shape. */
function toExpectation(shape) {
    if (shape.kind === 'list' || shape.kind === 'map')
        return { table: undefined, entries: shape.inner, isMap: shape.kind === 'map' };
    return { table: shape.table ?? shape.inner?.table, entries: undefined, isMap: false };
}

;// CONCATENATED MODULE: ./build/js/openapi/explain-indentation.js





/** Documents with more problems than this have other causes. */
const maxExamined = 500;
/**
 * Combines all diagnostics that one wrongly indented YAML line causes.
 *
 * Indented too little, fields end up next to their parent key, which becomes empty. Indented too much, they become fields of the wrong
 * object. Without this step, each of these fields and each reference below them would be reported separately.
 */
async function explainIndentation(found) {
    const misplaced = listMisplaced(found);
    if (misplaced.size === 0)
        return found.findings;
    const settled = await collectEffects(new Set(misplaced.values()), found.sources);
    if (settled.size === 0)
        return found.findings;
    const reported = new Set();
    return found.findings.flatMap((finding) => {
        const each = misplaced.get(finding);
        if (each && settled.get(each.file)?.pointers.has(each.pointer)) {
            if (reported.has(each))
                return [];
            reported.add(each);
            return explain(finding, each);
        }
        return isConsequence(finding, settled, found.documents) ? [] : finding;
    });
}
function explain(finding, { pointer, hint, message }) {
    if (message === undefined || finding.code === 'wrong-type')
        return { ...finding, hint };
    return { ...finding, code: 'unknown-field', message, pointer, on: 'key', hint };
}
/** Maps diagnostics to the misplaced key that causes them. Several diagnostics can have the same cause. */
function listMisplaced({ findings, documents }) {
    const misplaced = new Map();
    const byPointer = new Map();
    if (![...documents.values()].some(({ parsed }) => parsed.syntax === 'yaml'))
        return misplaced;
    const listUnresolved = (0,lazy/* lazy */.R)(() => new Set(findings.map((finding) => targetOf(finding, documents) ?? '')));
    let lookedAt = 0;
    for (const finding of findings) {
        const { code, file, severity } = finding;
        if ((code !== 'unknown-field' && code !== 'wrong-type' && code !== 'missing-field') || severity !== undefined)
            continue;
        const document = documents.get(file);
        if (document?.parsed.syntax !== 'yaml')
            continue;
        if (++lookedAt > maxExamined)
            break;
        const each = findMisplaced(finding, document, listUnresolved);
        if (!each)
            continue;
        const id = `${file}\n${each.pointer}`;
        const known = byPointer.get(id) ?? each;
        byPointer.set(id, known);
        misplaced.set(finding, known);
    }
    // Fields next to an empty misplaced key have the same cause.
    const strays = new Set([...byPointer.values()].flatMap((each) => each.strays.filter((stray) => stray !== each.pointer).map((stray) => `${each.file}\n${stray}`)));
    for (const [finding, { file, pointer }] of misplaced)
        if (isBelow(`${file}\n${pointer}`, strays))
            misplaced.delete(finding);
    return misplaced;
}
function isConsequence(finding, settled, documents) {
    const { code, file, pointer, offsets, message, related } = finding;
    // These checks are unreliable while a part of the description is misplaced.
    if (uncertain.has(code))
        return true;
    const here = settled.get(file);
    if (offsets)
        return (code === 'duplicate-key' && (here?.repeats.some(({ start, end }) => offsets.start > start && offsets.start < end) ?? false));
    if (here && isBelow(pointer, here.strays))
        return true;
    if (code === 'path-parameter')
        return here?.emptied.some((each) => pointer.startsWith(`${(0,json_pointer/* parentPointer */.Yg)(each)}/`)) ?? false;
    if (code === 'missing-field')
        return message.startsWith(`Missing \`${here?.lacking.get(pointer) ?? ''}\``);
    const target = code === 'reference-kind' ? related?.[0]?.pointer : targetOf(finding, documents);
    return (target !== undefined && [...settled.values()].some(({ homes }) => homes.some((home) => `${target}/`.startsWith(`${home}/`))));
}
const uncertain = new Set([
    'unused-component',
    'link-target',
    'tag-undeclared',
    'discriminator-property',
    'discriminator-mapping',
    'server-variable',
    'example-mismatch',
    'default-mismatch',
    'enum-mismatch',
]);
/** The missing target of a diagnostic, as a pointer into its file. */
function targetOf({ code, file, pointer }, documents) {
    if (code === 'security-scheme')
        return (0,json_pointer/* pointerChild */.QX)('/components/securitySchemes', (0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? '');
    if (code !== 'reference-unresolved')
        return undefined;
    const reference = (0,json_pointer/* valueAtPointer */.sZ)(documents.get(file)?.parsed.value, pointer);
    return typeof reference === 'string' && reference.startsWith('#/') ? reference.slice(1) : undefined;
}
function isBelow(pointer, tops) {
    for (let at = pointer; at !== ''; at = (0,json_pointer/* parentPointer */.Yg)(at))
        if (tops.has(at))
            return true;
    return false;
}
/** Keeps keys at the start of their line. Indentation has no meaning inside braces. */
async function collectEffects(misplaced, sources) {
    const settled = new Map();
    for (const [file, inFile] of (0,group_by/* groupBy */.$)(misplaced, (each) => each.file)) {
        const source = sources.get(file);
        if (!source)
            continue;
        const here = {
            pointers: new Set(),
            strays: new Set(),
            homes: [],
            lacking: new Map(),
            emptied: [],
            repeats: [],
        };
        const places = await (0,parse_source/* locatePointers */.F8)(source, inFile.map(({ pointer }) => pointer));
        for (const { pointer, strays, home, key, isEmpty } of inFile) {
            const start = places.get(pointer)?.key?.start ?? 0;
            const column = start - (source.text.lastIndexOf('\n', start - 1) + 1);
            if (!/^[ -]*$/.test(source.text.slice(start - column, start)))
                continue;
            here.pointers.add(pointer);
            for (const stray of [pointer, ...strays])
                here.strays.add(stray);
            here.homes.push(home);
            here.lacking.set((0,json_pointer/* parentPointer */.Yg)(home), key);
            if (!isEmpty)
                continue;
            here.emptied.push(pointer);
            here.repeats.push({ start, end: findEnd(source.text, start, column) });
        }
        if (here.pointers.size > 0)
            settled.set(file, here);
    }
    return settled;
}
/** The end of the mapping with a key in this column: the next line with less indentation. Empty lines and comments are skipped. */
function findEnd(text, start, column) {
    if (column === 0)
        return text.length;
    const fartherOut = new RegExp(`\\n {0,${Math.min(column, 1_000) - 1}}[^\\s#]`, 'g');
    fartherOut.lastIndex = start;
    return fartherOut.exec(text)?.index ?? text.length;
}
/** Limits for the search for component names. */
const maxExaminedProblems = 500;
const maxValues = 20_000;
/** Removes `unused-component` for components that are named in a part with an error, because that part was not read. */
function dropUnused(findings, documents) {
    if (!findings.some(({ code }) => code === 'unused-component'))
        return findings;
    const faults = findings.filter(({ code }) => unread.has(code)).slice(0, maxExaminedProblems);
    if (faults.length === 0)
        return findings;
    const named = listNames(faults, documents);
    return findings.filter(({ code, pointer }) => code !== 'unused-component' || !named.has((0,json_pointer/* parsePointer */.vp)(pointer).at(-1) ?? ''));
}
const unread = new Set(['unknown-field', 'wrong-type', 'security-scheme', 'reference-unresolved']);
/** All words in the invalid values and in their hints. */
function listNames(faults, documents) {
    const names = new Set();
    const add = (text) => {
        for (const word of text.slice(0, 300).match(/[\w.-]+/g) ?? [])
            names.add(word);
    };
    const waiting = [];
    for (const { file, pointer, hint } of faults) {
        add(hint ?? '');
        waiting.push((0,json_pointer/* valueAtPointer */.sZ)(documents.get(file)?.parsed.value, pointer));
    }
    for (let count = 0; waiting.length > 0 && count < maxValues; count++) {
        const value = waiting.pop();
        if (typeof value === 'string')
            add(value);
        else if (typeof value === 'object' && value !== null) {
            if (!Array.isArray(value))
                for (const key of Object.keys(value))
                    names.add(key);
            for (const entry of Object.values(value))
                waiting.push(entry);
        }
    }
    return names;
}


/***/ })

};
